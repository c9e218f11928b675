import { digestHex } from "#core/encoding/digest.ts";
import type { RecordOf } from "#core/transfer/export-format.ts";
import type { Deps } from "#service/deps.ts";
import { storeAgain } from "./stored-again.ts";

/** Stores the public blob of a receipt again. Answers whether it was not on record. */
export async function restoreAnchor(deps: Deps, { kind: _, ...anchor }: RecordOf<"anchor">): Promise<boolean> {
  const { records } = deps;
  const { blobId, digest, answerId } = anchor;
  if ((await records.blobTexts.find(blobId)) !== undefined) return false;
  const bytes = new TextEncoder().encode(anchor.body);
  const lease = await storeAgain(deps, bytes, { blobId, digest, found: digestHex(bytes) });
  // An export of some records may hold the anchor and not the receipt.
  const issued = anchor.issued && (await records.receipts.find(answerId)) !== undefined;
  await records.anchors.add({ ...anchor, issued }, lease);
  return true;
}

/** Records that a receipt is on the public ledger. Answers whether it was not on record. */
export function restoreOnLedger(deps: Deps, { kind: _, ...anchor }: RecordOf<"chain-anchor">): Promise<boolean> {
  const { chainAnchors, locks } = deps.records;
  const { agentId, blobId, digest, claimed, ...outcome } = anchor;
  // A pending request would be sent to the ledger by whoever has this lock.
  return locks.exclusively("anchoring", async () => {
    if ((await chainAnchors.find(anchor.receiptId)) !== undefined) return false;
    const wanted = { agentId, blobId, digest, claimed, policyVersion: "newest" as const };
    const { id } = await chainAnchors.request(wanted, anchor.anchoredAt);
    await chainAnchors.complete({ id, ...outcome });
    return true;
  });
}
