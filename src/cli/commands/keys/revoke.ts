import type { Run } from "#cli/invocation.ts";
import { revokeKey } from "#service/identity/keys.ts";
import { keyIdIn } from "./issued-key.ts";
import { withRecords } from "./with-records.ts";

export const run: Run<"keys revoke"> = async (invocation) => {
  const keyId = keyIdIn(invocation.positionals);
  const record = await withRecords(invocation, (deps) => revokeKey(deps, keyId));
  if (invocation.values.json) await invocation.json(record);
  else await invocation.say(`${keyId} is revoked since ${record.revokedAt}.`);
  return undefined;
};
