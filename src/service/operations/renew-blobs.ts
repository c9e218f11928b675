// Renews leases: stores the bytes of every memory and anchored receipt again before the blob store forgets them, and
// those of forgotten memories that anchored receipts name: a proof needs all of them. The same bytes have the same id, so
// links stay valid. Each renewal is recorded, so an interrupted run can continue.
import { mapInOrder } from "#async/map-in-order.ts";
import { factBytes } from "#core/memory.ts";
import type { Deps } from "#service/deps.ts";
import { leaseFor } from "#service/memories/blob-lease.ts";
import { allMemories } from "#service/memories/list-memories.ts";

export type Renewal = { readonly blobId: string } & (
  | { readonly status: "renewed" | "fresh" }
  | { readonly status: "failed"; readonly error: unknown }
);

const PAGE_SIZE = 500;

/** Skips blobs that were stored after `since`. */
export async function* renew(deps: Deps, { since }: { readonly since: Date }): AsyncGenerator<Renewal> {
  const renewOlder = ([blobId, bytes]: [string, Uint8Array]) => renewOne(deps, blobId, bytes, since.toISOString());
  yield* mapInOrder(blobsOnRecord(deps), deps.blobs.putConcurrency, renewOlder);
}

async function renewOne(
  { blobs, records, now }: Deps,
  blobId: string,
  bytes: Uint8Array,
  since: string,
): Promise<Renewal> {
  const lease = await records.leases.find(blobId);
  if (lease !== undefined && lease.storedAt > since) return { blobId, status: "fresh" };
  try {
    const stored = await blobs.put(bytes);
    if (stored.blobId !== blobId) throw new Error("The blob store gave the same bytes another id.");
    const renewed = leaseFor(stored, blobs, now().toISOString());
    if (renewed !== undefined) await records.leases.put(renewed);
    return { blobId, status: "renewed" };
  } catch (error) {
    return { blobId, status: "failed", error };
  }
}

async function* blobsOnRecord(deps: Deps): AsyncGenerator<[blobId: string, bytes: Uint8Array]> {
  for await (const memories of allMemories(deps)) {
    for (const memory of memories) yield [memory.storeRef, factBytes(memory)];
  }
  const utf8 = new TextEncoder();
  for await (const { blobId, body } of pages((page) => deps.records.anchors.page(page)))
    yield [blobId, utf8.encode(body)];
  for await (const { blobId, text } of pages((page) => deps.records.blobTexts.forgotten(page)))
    yield [blobId, utf8.encode(text)];
}

/** All entries, of pages by blob id. */
async function* pages<Entry extends { readonly blobId: string }>(
  read: (page: { readonly after?: string; readonly limit: number }) => Promise<readonly Entry[]>,
): AsyncGenerator<Entry> {
  let after: string | undefined;
  do {
    const from = after === undefined ? {} : { after };
    const entries = await read({ ...from, limit: PAGE_SIZE });
    yield* entries;
    after = entries.at(-1)?.blobId;
  } while (after !== undefined);
}
