import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";
import { claimsOf } from "#core/receipt/claims.ts";
import type { ReceiptToAnchor } from "#core/receipt/receipt.ts";
import type { Deps } from "#service/deps.ts";
import { storeReceipt } from "./anchor-as-blob.ts";
import { receiptToAnchor } from "./receipt-to-anchor.ts";
import { storedUntil } from "./stored-until.ts";

/**
 * Stores the receipt as a blob, records the request, and has the ledger mint a receipt for it. Once the request is on
 * record the anchor will be made: if this process ends first, the next one makes it.
 */
export async function anchorOnChain(
  deps: Deps,
  { claimNamespaces, ...given }: ReceiptToAnchor & { readonly claimNamespaces?: readonly string[] | undefined },
  principal: Principal,
) {
  const receipt = await receiptToAnchor(deps, given, principal);
  await checkPending(deps);
  const claimed = claimsOf(receipt, claimNamespaces);
  const { blobId, digest, issued } = await storeReceipt(deps, receipt);
  const wanted = { agentId: receipt.agentId, blobId, digest, claimed, issued };
  const request = await deps.records.chainAnchors.request(wanted, deps.now().toISOString());
  const { receiptId, txDigest, allAuthorized } = await deps.ledger.anchor(request);
  return {
    txDigest,
    receiptId,
    allAuthorized,
    /** Absolute for a public network; a path of our own for the local ledger. */
    explorerUrl: deps.ledger.explorerUrl(txDigest),
    verifyPath: `/verify/${receiptId}`,
    storeBlob: blobId,
    digestHex: digest,
    ...(await storedUntil(deps, blobId, receipt)),
  };
}

/** While the ledger does not answer, requests stay on record. There is an end to how many. */
const MOST_PENDING = 1_000;

async function checkPending({ records }: Pick<Deps, "records">): Promise<void> {
  if ((await records.chainAnchors.countPending(MOST_PENDING)) < MOST_PENDING) return;
  throw new PortcullisError("overloaded", `${MOST_PENDING} anchors wait for the ledger. Ask again later.`);
}
