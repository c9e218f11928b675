import { setTimeout as delay } from "node:timers/promises";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { digestHex } from "#core/encoding/digest.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import type { BlobAnchor } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import { leaseFor } from "#service/memories/blob-lease.ts";

const utf8 = new TextEncoder();

/** Stores the receipt's canonical JSON as a blob, and checks whether the blob can be fetched. */
export async function anchor(deps: Deps, receipt: ForeignReceipt): Promise<{ blobId: string; verified: boolean }> {
  const { blobId } = await storeReceipt(deps, receipt);
  return { blobId, verified: await canBeFetched(deps, blobId) };
}

/** Retries, because an aggregator's cache may miss a blob for a while after it was stored. */
const FETCH_DELAYS_MS = [0, 250, 500, 1_000] as const;

async function canBeFetched({ blobs }: Deps, blobId: string): Promise<boolean> {
  for (const ms of FETCH_DELAYS_MS) {
    if (ms > 0) await delay(ms);
    if ((await blobs.get(blobId).catch(() => undefined)) !== undefined) return true;
  }
  return false;
}

/**
 * Any well-formed receipt may be anchored; the anchor records whether we issued it, word for word. The blob is stored
 * first, so a crash between the two steps leaves only a blob that nobody refers to.
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
