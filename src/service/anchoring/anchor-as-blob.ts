import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { digestHex } from "#core/encoding/digest.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import type { BlobAnchor } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import { leaseFor } from "#service/memories/blob-lease.ts";

const utf8 = new TextEncoder();

/** Stores the receipt's canonical JSON as a blob and looks whether it resolves. */
export async function anchor(deps: Deps, receipt: ForeignReceipt): Promise<{ blobId: string; verified: boolean }> {
  const { blobId } = await storeReceipt(deps, receipt);
  return { blobId, verified: await resolves(deps, blobId) };
}

/** A cache before an aggregator may say for a while that there is no such blob, right after it was stored. */
const LOOKS_MS = [0, 250, 500, 1_000] as const;

async function resolves({ blobs }: Deps, blobId: string): Promise<boolean> {
  for (const ms of LOOKS_MS) {
    if (ms > 0) await delay(ms);
    if ((await blobs.get(blobId).catch(() => undefined)) !== undefined) return true;
  }
  return false;
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Any well-formed receipt may be anchored; whether we issued it, word for word, is on record with the anchor. The blob
 * is stored first: a crash between the two leaves a blob nobody refers to, and no more.
 */
export async function storeReceipt({ blobs, records, now }: Deps, receipt: ForeignReceipt): Promise<BlobAnchor> {
  const { answerId } = receipt;
  const body = canonicalJson(receipt);
  const bytes = utf8.encode(body);
  const blob = await blobs.put(bytes);
  const anchoredAt = now().toISOString();
  const issued = await records.receipts.isIssued(answerId, body);
  const anchored = { blobId: blob.blobId, digest: digestHex(bytes), answerId, issued, anchoredAt, body };
  await records.anchors.add(anchored, leaseFor(blob, anchoredAt));
  return anchored;
}
