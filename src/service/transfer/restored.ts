import { mapInOrder } from "#async/map-in-order.ts";
import { defined } from "#core/defined.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { digestHex, digestOfText } from "#core/encoding/digest.ts";
import { PortcullisError } from "#core/errors.ts";
import { factBytes } from "#core/memory.ts";
import { type AnswerReceipt, isComplete, type RecordedReceipt } from "#core/receipt/receipt.ts";
import { looksSealed, sealedReceiptOf } from "#core/receipt/receipt-shape.ts";
import { recordedForm } from "#core/receipt/sealed-form.ts";
import { signatureDigestOf } from "#core/receipt/signature.ts";
import type { RecordOf } from "#core/transfer/export-format.ts";
import type { BlobLease, RestoredMemory, RestoredReceipt, Stamp } from "#ports.ts";
import { type BlobFence, blobFence, leaseFor } from "#service/memories/memory-blobs.ts";
import { begunRecordOf, receiptCounts } from "#service/receipts/receipts.ts";
import type { Tenant } from "#service/tenant.ts";

/** Stores the blobs of memories that are not on record, and records these. Answers how many. */
export async function restoreMemories(
  tenant: Pick<Tenant, "records" | "blobs" | "now">,
  page: readonly RecordOf<"memory">[],
  stamp: Stamp,
): Promise<number> {
  const { transfer } = tenant.records;
  const missing = await newMemories(tenant, page);
  const restored: RestoredMemory[] = [];
  const storing = mapInOrder(missing, tenant.blobs.putConcurrency, (record) => stored(tenant, record));
  for await (const each of storing) restored.push(each);
  return restored.length === 0 ? 0 : transfer.restoreMemories(restored, stamp);
}

/** Those not on record. Refuses plain text of a namespace that is encrypted here: it would not be what receipts name. */
export async function newMemories({ records }: Pick<Tenant, "records">, page: readonly RecordOf<"memory">[]) {
  const known = await records.transfer.knownMemories(page.map(({ memory }) => memory.memoryId));
  const missing = page.filter(({ memory }) => !known.has(memory.memoryId));
  const names = new Set(missing.flatMap(({ memory }) => (memory.encryption === undefined ? memory.namespace : [])));
  for (const name of names) if ((await records.namespaces.find(name))?.encrypted) throw encryptedHere(name);
  return missing;
}

const encryptedHere = (namespace: string) =>
  new PortcullisError(
    "export-not-importable",
    `The export has memories of the namespace "${namespace}" as plain text, and it is encrypted here. Encrypt it in the service that you exported from, with the same ENCRYPTION_KEY, and export again.`,
  );

async function stored(
  tenant: Pick<Tenant, "records" | "blobs" | "now">,
  { memory, superseded }: RecordOf<"memory">,
): Promise<RestoredMemory> {
  const { storeRef, contentDigest, content, encryption, namespace } = memory;
  // What is encrypted is kept as the text of its blob.
  const bytes = encryption === undefined ? factBytes(memory) : new TextEncoder().encode(content);
  const fence = blobFence(tenant, { namespace, isEncrypted: encryption !== undefined });
  const lease = await storeAgain(tenant, bytes, { blobId: storeRef, digest: contentDigest }, fence).catch((error) => {
    throw fence.refusal() === "encrypted" ? encryptedHere(namespace) : error;
  });
  return { memory, lease, ...(superseded && { superseding: superseded }) };
}

/** Stores the bytes of an exported blob. They must be what their record says: receipts name them by id and digest. */
async function storeAgain(
  { blobs, now }: Pick<Tenant, "blobs" | "now">,
  bytes: Uint8Array,
  { blobId, digest }: { readonly blobId: string; readonly digest: string },
  fence?: BlobFence,
): Promise<BlobLease | undefined> {
  if (digest !== digestHex(bytes))
    throw new PortcullisError("export-damaged", `The record of the blob ${blobId} has another digest than its bytes.`);
  const stored = await blobs.put(bytes, fence && { fence: fence.pass });
  if (stored.blobId !== blobId) {
    const message = `The blob store gave the id ${stored.blobId} to what the export has as ${blobId}. Import into a service with the same store.`;
    throw new PortcullisError("export-not-importable", message);
  }
  return leaseFor(stored, blobs, now().toISOString());
}

/** The receipt with the columns that it is searched by. */
export function toRestoredReceipt({ receipt, reason, seed }: RecordOf<"receipt">): RestoredReceipt {
  const recorded = receipt as RecordedReceipt;
  const { blockedList, ...columns } = begunRecordOf(recorded, receipt.blockedNamespaces);
  return {
    ...columns,
    // As it was signed.
    body: canonicalJson(receipt),
    ...(blockedList && { blockedDigest: blockedList.digest }),
    ...defined({ seed, reason }),
    ...(isComplete(recorded) && {
      counts: { ...receiptCounts(recorded), signatureDigest: signatureDigestOf(recorded.signature) },
    }),
  };
}

/** Stores the public blob of a receipt again. Answers whether it was not on record. */
export async function restoreAnchor(
  tenant: Pick<Tenant, "records" | "blobs" | "now">,
  { kind: _, ...anchor }: RecordOf<"anchor">,
): Promise<boolean> {
  const { records } = tenant;
  const { blobId, answerId } = anchor;
  if ((await records.blobTexts.find(blobId)) !== undefined) return false;
  const bytes = new TextEncoder().encode(anchor.body);
  const lease = await storeAgain(tenant, bytes, anchor);
  // An export of some records may hold the anchor and not the receipt, or the receipt without its end.
  const receipt = anchor.issued ? await records.receipts.find(answerId) : undefined;
  const issued = receipt?.status === "issued" && isFormOf(receipt.body, anchor.body);
  await records.anchors.add({ ...anchor, issued }, lease);
  return true;
}

/** Whether it is the receipt on record, open or sealed, as it would have been anchored here. Else it could name anything. */
function isFormOf(recorded: string, body: string): boolean {
  const value: unknown = JSON.parse(body);
  if (looksSealed(value)) return body === canonicalJson(sealedReceiptOf(JSON.parse(recorded)));
  const form = value as AnswerReceipt;
  const isWhole = form.usedMemories.every(({ snippet }) => snippet !== undefined);
  return isWhole && body === canonicalJson(form) && recorded === canonicalJson(recordedForm(form));
}

/** How many anchors on the ledger one blob may have: as many as are listed. */
const MOST_ON_LEDGER = 20;

/** Records that a receipt is on the public ledger. No quota counts these, so their blob must be on record. */
export function restoreOnLedger(tenant: Pick<Tenant, "records">, { kind: _, ...anchor }: RecordOf<"chain-anchor">) {
  const { anchors, blobTexts, chainAnchors, locks } = tenant.records;
  const { agentId, blobId, digest, claimed, ...outcome } = anchor;
  // A pending request would be sent to the ledger by whoever has this lock.
  return locks.exclusively("anchoring", async () => {
    if ((await chainAnchors.find(anchor.receiptId)) !== undefined) return "known";
    const text = (await blobTexts.find(blobId))?.text ?? "";
    const { onLedger } = await anchors.find(digest, MOST_ON_LEDGER);
    if (digestOfText(text) !== digest || onLedger.length === MOST_ON_LEDGER) return "left out";
    const wanted = { agentId, blobId, digest, claimed, policyVersion: "newest" as const };
    const { id } = await chainAnchors.request(wanted, anchor.anchoredAt);
    await chainAnchors.complete({ id, ...outcome, imported: true });
    return "added";
  });
}
