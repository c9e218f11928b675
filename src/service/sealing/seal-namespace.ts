// Sealing a namespace that has open memories: each is captured again sealed, and the open one is forgotten in the same
// commit. It goes on after a crash where it ended: what is left to do is what is open.

import { digestHex } from "#core/encoding/digest.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Forgotten, MemoryOnRecord, Replacement } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import { leaseEnd, leaseFor } from "#service/memories/blob-lease.ts";

/** What was open and is not any more, and what stays public all the same. */
export interface SealedNamespace {
  /** Memories that are sealed now. */
  readonly sealed: number;
  /** Superseded ones are history, and are forgotten without being captured again. */
  readonly forgottenHistory: number;
  /** Receipts that were anchored in the open form and name such a memory. They keep its snippet. */
  readonly anchoredReceipts: number;
  /** Until when the blob store keeps the last of the open blobs at least. Absent when this service is the store. */
  readonly publicUntil?: string;
}

export interface SealingOptions {
  /** Who sealed it, for the tombstones. */
  readonly by?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: SealedNamespace) => void;
}

type Sealer = Pick<Deps, "records" | "cipher" | "blobs" | "gatekeeper" | "now" | "newId">;

/** The fence is taken alone for each step, so that a step is short. */
const STEP = 50;
const HISTORY_STEP = 500;
const NOTHING: SealedNamespace = { sealed: 0, forgottenHistory: 0, anchoredReceipts: 0 };

/** Rejects with `seal-key-missing` when nothing can be sealed. To be asked before a namespace's settings say `sealed`. */
export function requireSealKey({ cipher }: Pick<Deps, "cipher">): void {
  if (cipher.status() === "ready") return;
  throw new PortcullisError(
    "seal-key-missing",
    "Nothing can be sealed without the key of this database. Set SEAL_KEY, SEAL_KEY_FILE or SEAL_KEY_COMMAND, and start the service again.",
  );
}

/** Seals what is open in a namespace. Its settings must say `sealed` by now, so that new captures go in sealed. */
export function sealNamespace(deps: Sealer, namespace: string, options: SealingOptions = {}): Promise<SealedNamespace> {
  const { by = "service", signal, onProgress } = options;
  const { records, now } = deps;
  const stamp = () => ({ by, at: now().toISOString() });

  async function sealAll(): Promise<SealedNamespace> {
    let done = NOTHING;
    for (;;) {
      signal?.throwIfAborted();
      const open = await records.seals.openIn(namespace, STEP);
      if (open.length === 0) break;
      const publicUntil = await lastLeaseEnd(deps, open);
      const replacements = await Promise.all(open.map((memory) => sealedAgain(deps, memory)));
      const forgotten = await records.seals.replace(replacements, stamp());
      done = added(done, { sealed: forgotten.length, forgotten, publicUntil });
      deps.gatekeeper.wake();
      onProgress?.(done);
    }
    for (;;) {
      signal?.throwIfAborted();
      const memoryIds = await records.seals.openHistoryIn(namespace, HISTORY_STEP);
      if (memoryIds.length === 0) return done;
      const open = [...(await records.memories.findAll(memoryIds)).values()];
      const publicUntil = await lastLeaseEnd(deps, open);
      const forgotten = await records.memories.forget({ memoryIds, cause: "sealed" }, stamp());
      done = added(done, { forgottenHistory: forgotten.length, forgotten, publicUntil });
      onProgress?.(done);
    }
  }
  // One process at a time: two of them would store every blob twice.
  return records.locks.exclusively("sealing", sealAll);
}

/** The same fact with a new id, because its blob is a new one. All else stays. */
async function sealedAgain(deps: Sealer, open: MemoryOnRecord): Promise<Replacement> {
  const { supersedes: _, supersededBy: __, pinned: ___, ...kept } = open;
  const memoryId = deps.newId("mem");
  const { text, seal } = await deps.cipher.seal(open, { ...kept, memoryId });
  const bytes = new TextEncoder().encode(text);
  const stored = await deps.blobs.put(bytes);
  return {
    memoryId: open.memoryId,
    sealed: { ...kept, memoryId, content: text, storeRef: stored.blobId, contentDigest: digestHex(bytes), seal },
    lease: leaseFor(stored, deps.blobs, deps.now().toISOString()),
  };
}

async function lastLeaseEnd({ records, blobs }: Sealer, open: readonly MemoryOnRecord[]): Promise<string | undefined> {
  const { leaseMs } = blobs;
  if (leaseMs === undefined) return undefined;
  const leases = await records.leases.findAll(open.map(({ storeRef }) => storeRef));
  return leases
    .map((lease) => leaseEnd(lease, leaseMs))
    .sort()
    .at(-1);
}

interface Step extends Partial<Pick<SealedNamespace, "sealed" | "forgottenHistory">> {
  readonly forgotten: readonly Forgotten[];
  readonly publicUntil: string | undefined;
}

function added(done: SealedNamespace, { sealed = 0, forgottenHistory = 0, forgotten, publicUntil }: Step) {
  const anchoredReceipts = forgotten.reduce((sum, each) => sum + each.anchoredReceipts, done.anchoredReceipts);
  const ends = [done.publicUntil, publicUntil].filter((end) => end !== undefined).sort();
  const last = ends.at(-1);
  return {
    sealed: done.sealed + sealed,
    forgottenHistory: done.forgottenHistory + forgottenHistory,
    anchoredReceipts,
    ...(last !== undefined && { publicUntil: last }),
  };
}
