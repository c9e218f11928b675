import type { Run } from "#cli/invocation.ts";
import { openClient } from "#cli/shared/service-client.ts";
import { EXIT } from "#cli/table/exit-codes.ts";
import { UsageError } from "#cli/usage-error.ts";
import { pagePath } from "#contract/page-paths.ts";
import { provedBy } from "#core/verify/set-up.ts";

export const run: Run<"anchor"> = async (invocation) => {
  const { positionals, values, print, say, json } = invocation;
  const [answerId = ""] = positionals;
  if (values.blob && values.claim !== undefined) throw new UsageError("A blob claims nothing. Leave --claim out.");
  const { client, call, url } = await openClient(invocation);
  const what = { answerId, ...(values.sealed && { sealed: true }) };
  if (values.blob) {
    const stored = await client.anchorReceipt(what, call());
    if (values.json) await json(stored);
    else {
      await print(stored.blobId);
      await say(`Check it: ${url}${pagePath("verifyStart")}?q=${encodeURIComponent(stored.blobId)}`);
    }
    if (stored.verified) return undefined;
    await say("The blob is not reachable yet. portcullis anchor does it again.");
    return EXIT.unverified;
  }
  const claims = values.claim === undefined ? {} : { claimNamespaces: values.claim };
  const anchored = await client.anchorOnChain({ ...what, ...claims }, call());
  if (values.json) await json(anchored);
  else {
    await print(anchored.receiptId);
    const { ledger, blobs } = await client.getService(call());
    await say(`Check it: ${url}${anchored.verifyPath}`);
    await say(provedBy({ network: ledger.network, blobs: blobs.kind }));
  }
  if (anchored.allAuthorized) return undefined;
  await say("The ledger says that not every claimed namespace was authorized.");
  return EXIT.unverified;
};
