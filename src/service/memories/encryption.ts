// Encrypts a namespace that has unencrypted memories: each is captured again encrypted, and the unencrypted one is forgotten in the same
// commit. It goes on after a crash where it ended: what is left to do is what is open.
import { defined } from "#core/defined.ts";
import { digestHex } from "#core/encoding/digest.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Forgotten, MemoryOnRecord, Replacement } from "#ports.ts";
import type { Tenant } from "#service/tenant.ts";
import { leaseEnd, leaseFor } from "./memory-blobs.ts";

export interface EncryptedNamespace {
  readonly encrypted: number;
  /** Superseded ones are history, and are forgotten without being captured again. */
  readonly forgottenHistory: number;
  /** Receipts that were anchored in the open form and name such a memory. They keep its snippet. */
  readonly anchoredReceipts: number;
  /** Until when the blob store keeps the last of the unencrypted blobs at least. Absent when this service is the store. */
  readonly publicUntil?: string;
}

interface EncryptionOptions {
  /** Who encrypted it, for the tombstones. */
  readonly by?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: EncryptedNamespace) => void;
}

export type Encryptor = Pick<Tenant, "records" | "cipher" | "blobs" | "index" | "now" | "newId">;

/** The fence is taken alone for each step, so that a step is short. */
const STEP = 50;
const HISTORY_STEP = 500;
const NOTHING: EncryptedNamespace = { encrypted: 0, forgottenHistory: 0, anchoredReceipts: 0 };

/** Rejects with `encryption-key-missing` when nothing can be encrypted. To be asked before a namespace's settings say `encrypted`. */
export function requireEncryptionKey({ cipher }: Pick<Tenant, "cipher">): void {
  if (cipher.status() === "ready") return;
  throw new PortcullisError(
    "encryption-key-missing",
    "Nothing can be encrypted without the key of this database. Set ENCRYPTION_KEY, ENCRYPTION_KEY_FILE or ENCRYPTION_KEY_COMMAND, and start the service again.",
  );
}

/** Encrypts what is open in a namespace. Its settings must say `encrypted` by now, so that new captures go in encrypted. */
export function encryptNamespace(
  tenant: Encryptor,
  namespace: string,
  options: EncryptionOptions = {},
): Promise<EncryptedNamespace> {
  const { by = "service", signal, onProgress } = options;
  const { records, now } = tenant;
  const stamp = () => ({ by, at: now().toISOString() });

  async function encryptAll(): Promise<EncryptedNamespace> {
    let done = NOTHING;
    for (;;) {
      signal?.throwIfAborted();
      const open = await records.encryption.openIn(namespace, STEP);
      if (open.length === 0) break;
      const publicUntil = await lastLeaseEnd(tenant, open);
      const replacements = await Promise.all(open.map((memory) => encryptedAgain(tenant, memory)));
      const forgotten = await records.encryption.replace(replacements, stamp());
      done = added(done, "encrypted", forgotten, publicUntil);
      tenant.index.wake();
      onProgress?.(done);
    }
    for (;;) {
      signal?.throwIfAborted();
      const memoryIds = await records.encryption.openHistoryIn(namespace, HISTORY_STEP);
      if (memoryIds.length === 0) return done;
      const open = [...(await records.memories.findAll(memoryIds)).values()];
      const publicUntil = await lastLeaseEnd(tenant, open);
      const forgotten = await records.memories.forget({ memoryIds, cause: "encrypted" }, stamp());
      done = added(done, "forgottenHistory", forgotten, publicUntil);
      onProgress?.(done);
    }
  }
  // One process at a time: two of them would store every blob twice.
  return records.locks.exclusively("encryption", encryptAll);
}

/** The same fact with a new id, because its blob is a new one. All else stays. */
async function encryptedAgain(tenant: Encryptor, open: MemoryOnRecord): Promise<Replacement> {
  const { supersedes: _, supersededBy: __, pinned: ___, ...kept } = open;
  const memoryId = tenant.newId("mem");
  const { text, encryption } = await tenant.cipher.encrypt(open, { ...kept, memoryId });
  const bytes = new TextEncoder().encode(text);
  const stored = await tenant.blobs.put(bytes);
  return {
    memoryId: open.memoryId,
    encrypted: {
      ...kept,
      memoryId,
      content: text,
      storeRef: stored.blobId,
      contentDigest: digestHex(bytes),
      encryption,
    },
    lease: leaseFor(stored, tenant.blobs, tenant.now().toISOString()),
  };
}

async function lastLeaseEnd({ records, blobs }: Encryptor, open: readonly MemoryOnRecord[]) {
  const { leaseMs } = blobs;
  if (leaseMs === undefined) return undefined;
  const leases = await records.leases.findAll(open.map(({ storeRef }) => storeRef));
  return leases
    .map((lease) => leaseEnd(lease, leaseMs))
    .sort()
    .at(-1);
}

/** With those that one more step has forgotten, which count as this. */
function added(
  done: EncryptedNamespace,
  count: "encrypted" | "forgottenHistory",
  forgotten: readonly Forgotten[],
  publicUntil: string | undefined,
): EncryptedNamespace {
  const anchoredReceipts = forgotten.reduce((sum, each) => sum + each.anchoredReceipts, done.anchoredReceipts);
  const ends = [done.publicUntil, publicUntil].filter((end) => end !== undefined).sort();
  return {
    ...done,
    [count]: done[count] + forgotten.length,
    anchoredReceipts,
    ...defined({ publicUntil: ends.at(-1) }),
  };
}

// Rotation: the keys of all encrypted memories are wrapped with the key of today, so that former keys can be destroyed. The
// memories and their blobs stay as they are. It may be ended at any time and begun again.

const REWRAPPED_AT_ONCE = 200;

export async function rotateEncryptionKey(
  { records, cipher }: Pick<Tenant, "records" | "cipher">,
  onProgress: (done: number, total: number) => void = () => undefined,
) {
  const { encryption } = records;
  const keyId = await cipher.takeOver();
  const others = [...(await encryption.counts())].filter(([id]) => id !== keyId);
  const total = others.reduce((sum, [, count]) => sum + count, 0);
  /** Memories whose key is wrapped by the key of today now, and was not before. */
  let rewrapped = 0;
  /** Memories whose key none of the configured keys can unwrap. */
  let unknown = 0;
  let after: string | undefined;
  for (;;) {
    const rows = await encryption.wrappedByOthers({ keyId, limit: REWRAPPED_AT_ONCE, after });
    after = rows.at(-1)?.memoryId;
    if (after === undefined) break;
    const changes = await Promise.all(
      rows.map(async ({ memoryId, encryption }) => {
        const to = await cipher.rewrap(memoryId, encryption);
        return to === undefined ? [] : { memoryId, from: encryption, to };
      }),
    );
    const known = changes.flat();
    rewrapped += await encryption.rewrap(known);
    unknown += rows.length - known.length;
    onProgress(rewrapped + unknown, total);
  }
  // Nobody needs the secret under a former key any more. With that key alone, it would still confirm guesses.
  if (unknown === 0)
    for (const former of (await encryption.secrets()).keys())
      if (former !== keyId) await encryption.removeSecret(former);
  return { rewrapped, unknown };
}

/** Whether memories, superseded ones included, are encrypted with a key that is not here. */
export async function hasLocked({ records, cipher }: Pick<Tenant, "records" | "cipher">): Promise<boolean> {
  const here = new Set(cipher.keyIds());
  return (await records.encryption.keyIds()).some((keyId) => !here.has(keyId));
}
