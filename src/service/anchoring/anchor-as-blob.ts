import { setTimeout as delay } from "node:timers/promises";
import { digestHex } from "#core/encoding/digest.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { ForeignReceipt, ReceiptToAnchor } from "#core/receipt/receipt.ts";
import type { BlobAnchor } from "#ports.ts";
import { callerOf, decisionOf } from "#service/decisions/decision-log.ts";
import type { Deps } from "#service/deps.ts";
import { leaseFor } from "#service/memories/blob-lease.ts";
import { type AnchoredForm, formToAnchor } from "./anchored-form.ts";
import { type PublicationFence, publicationFence } from "./publication-fence.ts";
import { receiptToAnchor } from "./receipt-to-anchor.ts";
import { type StoredUntil, storedUntil } from "./stored-until.ts";

const utf8 = new TextEncoder();

/** Stores the receipt's canonical JSON as a blob, open or sealed, and checks whether the blob can be fetched. */
export async function anchor(
  deps: Deps,
  { sealed, ...given }: ReceiptToAnchor & { readonly sealed?: boolean | undefined },
  principal: Principal,
): Promise<{ blobId: string; verified: boolean } & StoredUntil> {
  const state = await deps.gatekeeper.fenceState();
  const receipt = await receiptToAnchor(deps, given, principal);
  const form = await formToAnchor(deps, receipt, sealed);
  // A sealed form quotes nothing.
  const isQuoting = form.issued && form.usedMemories.length > 0;
  const publish = await publicationFence(deps, { receipt, state, isQuoting }, principal);
  const { blobId } = await storeReceipt(deps, receipt, publish, form);
  return { blobId, verified: await canBeFetched(deps, blobId), ...(await storedUntil(deps, blobId, form)) };
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
export async function storeReceipt(
  deps: Deps,
  receipt: ForeignReceipt,
  publish: PublicationFence,
  { body, issued }: AnchoredForm,
): Promise<BlobAnchor> {
  const { blobs, records, now } = deps;
  const { answerId } = receipt;
  const bytes = utf8.encode(body);
  const blob = await blobs.put(bytes, { fence: publish });
  const anchoredAt = now().toISOString();
  const anchored = { blobId: blob.blobId, digest: digestHex(bytes), answerId, issued, anchoredAt, body };
  const agentId = issued ? receipt.agentId : callerOf(deps);
  const decision = decisionOf(deps, { outcome: "anchored", answerId, agentId, details: { blobId: blob.blobId } });
  await publish(() => records.anchors.add(anchored, leaseFor(blob, blobs, anchoredAt), decision));
  return anchored;
}
