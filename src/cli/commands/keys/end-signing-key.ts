import type { Run } from "#cli/invocation.ts";
import { withDeps } from "#cli/shared/with-deps.ts";
import { readConfig } from "#config.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Deps } from "#service/deps.ts";
import { addSigningKey } from "#service/receipts/receipt-signer.ts";

export const run: Run<"signing-keys end"> = async ({ positionals, values, say, json, serviceEnvironment }) => {
  const [keyId = ""] = positionals;
  const endedAt = await withDeps(readConfig(await serviceEnvironment()), (deps) => end(deps, keyId));
  if (values.json) await json({ keyId, endedAt });
  else await say(`${keyId} has ended at ${endedAt}.`);
  return undefined;
};

async function end({ records, now }: Deps, keyId: string): Promise<string> {
  const at = now().toISOString();
  // Not an older one: it was rotated for a reason.
  if ((await records.signingKeys.signing())?.keyId === keyId) await addSigningKey(records, now());
  if (await records.signingKeys.end(keyId, at)) return at;
  const advice = `There is no key ${keyId} that has not ended. portcullis signing-keys list shows them.`;
  throw new PortcullisError("not-found", advice);
}
