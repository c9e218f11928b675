// Renews leases: stores the bytes of every memory, superseded ones included, and of every anchored receipt again before the
// blob store forgets them. The blob of a forgotten memory is not renewed, also when it is forgotten meanwhile. The same
// bytes have the same id, so links stay valid. Each renewal is recorded, so an interrupted run can continue.
import { mapInOrder } from "#async/map-in-order.ts";
import { type BlobFence, blobFence, leaseFor } from "#service/memories/memory-blobs.ts";
import { allMemories } from "#service/memories/read-memories.ts";
import type { Tenant } from "#service/tenant.ts";

export type Renewal = { readonly blobId: string } & (
  | { readonly status: "renewed" | "fresh" }
  | { readonly status: "failed"; readonly error: unknown }
);

const PAGE_SIZE = 500;

interface BlobOnRecord {
  readonly blobId: string;
  readonly bytes: Uint8Array;
  /** Of a memory's blob. An anchored receipt is public, and stays. */
  readonly fence?: BlobFence;
}

/** Skips blobs that were stored after `since`. */
export async function* renew(
  tenant: Pick<Tenant, "records" | "stored" | "blobs" | "now">,
  { since }: { readonly since: Date },
): AsyncGenerator<Renewal> {
  const renewOlder = (blob: BlobOnRecord) => renewOne(tenant, blob, since.toISOString());
  for await (const renewal of mapInOrder(blobsOnRecord(tenant), tenant.blobs.putConcurrency, renewOlder))
    if (renewal !== undefined) yield renewal;
}

/** Undefined when the memory is not on record any more, or its namespace was encrypted. */
async function renewOne(
  { blobs, records, now }: Pick<Tenant, "records" | "blobs" | "now">,
  { blobId, bytes, fence }: BlobOnRecord,
  since: string,
): Promise<Renewal | undefined> {
  const lease = await records.leases.find(blobId);
  if (lease !== undefined && lease.storedAt > since) return { blobId, status: "fresh" };
  try {
    const stored = await blobs.put(bytes, { fence: fence?.pass });
    if (stored.blobId !== blobId) throw new Error("The blob store gave the same bytes another id.");
    const renewed = leaseFor(stored, blobs, now().toISOString());
    if (renewed !== undefined) await records.leases.put(renewed);
    return { blobId, status: "renewed" };
  } catch (error) {
    return fence?.refusal() === undefined ? { blobId, status: "failed", error } : undefined;
  }
}

async function* blobsOnRecord(tenant: Pick<Tenant, "records" | "stored">): AsyncGenerator<BlobOnRecord> {
  const utf8 = new TextEncoder();
  for (const filter of [{}, { superseded: true }])
    for await (const memories of allMemories({ records: tenant.stored }, filter))
      for (const memory of memories) {
        const { storeRef, namespace, encryption } = memory;
        const found = await tenant.records.blobTexts.find(storeRef);
        const fence = blobFence(tenant, { namespace, isEncrypted: encryption !== undefined, memory });
        if (found !== undefined) yield { blobId: storeRef, bytes: utf8.encode(found.text), fence };
      }
  let after: string | undefined;
  do {
    const anchors = await tenant.records.anchors.page({ after, limit: PAGE_SIZE });
    for (const { blobId, body } of anchors) yield { blobId, bytes: utf8.encode(body) };
    after = anchors.at(-1)?.blobId;
  } while (after !== undefined);
}
