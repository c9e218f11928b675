import type { Invocation, Run } from "#cli/invocation.ts";
import { parseTime } from "#cli/shared/time-option.ts";
import { UsageError } from "#cli/usage-error.ts";
import { nameFault } from "#core/encoding/text-validation.ts";
import { parseRole } from "#core/identity/role.ts";
import { createKey, type NewKey } from "#service/identity/keys.ts";
import { showIssuedKey } from "./issued-key.ts";
import { withRecords } from "./with-records.ts";

const BY = "command line";

export const run: Run<"keys create"> = async (invocation) => {
  // Before the database is opened, which may create it.
  const key = newKeyOf(invocation.values);
  const issued = await withRecords(invocation, (deps) => createKey(deps, key, BY), { schemaChange: "create" });
  await showIssuedKey(invocation, issued);
  return undefined;
};

function newKeyOf({ name, role, captures, expires }: Invocation<"keys create">["values"]): NewKey {
  if (name === undefined || role === undefined) throw new UsageError("A key needs --name and --role.");
  const fault = nameFault(name);
  if (fault !== undefined) throw new UsageError(`The name ${fault}.`);
  parseRole(role, captures);
  return { name, role, captures, expiresAt: expires === undefined ? undefined : timeIn(expires) };
}

function timeIn(text: string): string {
  const time = parseTime(text);
  if (time !== undefined && time > new Date()) return time.toISOString();
  throw new UsageError("--expires takes a time in the future, such as 2031-01-01T00:00:00Z.");
}
