// Renews leases: stores the bytes of every memory, superseded ones included, and of every anchored receipt again before the
// blob store forgets them. The blob of a forgotten memory is not renewed. The same bytes have the same id, so links stay
// valid. Each renewal is recorded, so an interrupted run can continue.
import { mapInOrder } from "#async/map-in-order.ts";
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
  const utf8 = new TextEncoder();
  for (const filter of [{}, { superseded: true }])
    for await (const memories of allMemories({ records: deps.stored }, filter))
      for (const { storeRef } of memories) {
        const found = await deps.records.blobTexts.find(storeRef);
        if (found !== undefined) yield [storeRef, utf8.encode(found.text)];
      }
  for await (const { blobId, body } of pages((page) => deps.records.anchors.page(page)))
    yield [blobId, utf8.encode(body)];
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
