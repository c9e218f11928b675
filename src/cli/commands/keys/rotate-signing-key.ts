import type { Run } from "#cli/invocation.ts";
import { withDeps } from "#cli/shared/with-deps.ts";
import { readConfig } from "#config.ts";
import { addSigningKey } from "#service/receipts/receipt-signer.ts";

export const run: Run<"signing-keys rotate"> = async ({ values, say, json, serviceEnvironment }) => {
  const config = readConfig(await serviceEnvironment());
  const { keyId } = await withDeps(config, ({ records, now }) => addSigningKey(records, now()));
  if (values.json) await json({ keyId });
  else await say(`${keyId} signs from now on.`);
  return undefined;
};
