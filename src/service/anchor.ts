import { canonicalBytes } from "../core/canonical.ts";
import { digestHex } from "../core/digest.ts";
import type { ForeignReceipt } from "../core/receipt.ts";
import type { Deps } from "./deps.ts";

/**
 * Stores the receipt's canonical JSON as a blob and looks whether it resolves. Any well-formed receipt may be
 * anchored; whether we issued it, word for word, is on record with the anchor.
 */
export async function anchor(deps: Deps, receipt: ForeignReceipt): Promise<{ blobId: string; verified: boolean }> {
  const { blobs, records, now } = deps;
  const bytes = canonicalBytes(receipt);
  const digest = digestHex(bytes);
  const blobId = await blobs.put(bytes);
  const { answerId } = receipt;
  const issued = await records.isIssued(answerId, digest);
  const body = new TextDecoder().decode(bytes);
  await records.addAnchor({ blobId, digest, answerId, issued, anchoredAt: now().toISOString(), body });
  const verified = (await blobs.get(blobId).catch(() => undefined)) !== undefined;
  return { blobId, verified };
}
