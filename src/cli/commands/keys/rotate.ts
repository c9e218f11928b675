import type { Run } from "#cli/invocation.ts";
import { UsageError } from "#cli/usage-error.ts";
import { LONGEST_GRACE_SECONDS, rotateKey } from "#service/identity/keys.ts";
import { keyIdIn, showIssuedKey } from "./issued-key.ts";
import { withRecords } from "./with-records.ts";

const HOUR_SECONDS = 3_600;

export const run: Run<"keys rotate"> = async (invocation) => {
  const keyId = keyIdIn(invocation.positionals);
  const graceSeconds = Math.round(Number(invocation.values.grace ?? "0") * HOUR_SECONDS);
  if (!(graceSeconds >= 0 && graceSeconds <= LONGEST_GRACE_SECONDS))
    throw new UsageError("--grace takes hours, from 0 to 24.");
  const issued = await withRecords(invocation, (deps) => rotateKey(deps, keyId, { graceSeconds }));
  await showIssuedKey(invocation, issued);
  return undefined;
};
