// The fence of a memory's blob, which is public in the store. Its bytes leave behind it, in each try anew, so that nothing
// of a memory is stored once its forgetting, or the encryption of its namespace, was acknowledged.
import { defined } from "#core/defined.ts";
import { PortcullisError } from "#core/errors.ts";
import type { BlobLease, BlobStore, FencedAction, MemoryOnRecord, PutOptions, StoredBlob } from "#ports.ts";
import type { Tenant } from "#service/tenant.ts";

export interface BlobFence {
  readonly pass: NonNullable<PutOptions["fence"]>;
  /** Why it let nothing pass; undefined while it did not refuse. */
  refusal(): "removed" | "encrypted" | undefined;
}

interface FencedBlob {
  readonly namespace: string;
  /** It is ciphertext, and may be stored whatever its namespace is. */
  readonly isEncrypted: boolean;
  /** That must be on record, history included. Absent: it is about to be captured. */
  readonly memory?: Pick<MemoryOnRecord, "memoryId" | "expiresAt">;
}

/** Has every memory looked up, whatever was removed since. */
const ANY_STATE = { policyVersion: 0, removals: -1 };

export function blobFence(
  { records }: Pick<Tenant, "records">,
  { namespace, isEncrypted, memory }: FencedBlob,
): BlobFence {
  const readSet = {
    ...ANY_STATE,
    agentId: "",
    namespaces: [],
    memoryIds: memory === undefined ? [] : [memory.memoryId],
    allowsSuperseded: true,
    expiresAt: memory?.expiresAt,
  };
  let refusal: ReturnType<BlobFence["refusal"]>;

  async function sendIfOpen(send: FencedAction, lost: AbortSignal): Promise<void> {
    if (!isEncrypted && (await records.namespaces.find(namespace))?.encrypted) refusal = "encrypted";
    else await send(lost);
  }

  return {
    async pass(send) {
      if (!(await records.policy.passFence(readSet, (lost) => sendIfOpen(send, lost)))) refusal = "removed";
      if (refusal !== undefined)
        throw new PortcullisError(
          "policy-changed",
          "The memory was forgotten meanwhile, or its namespace was encrypted.",
        );
    },
    refusal: () => refusal,
  };
}

/** The lease of a blob that was just stored; undefined if the store says nothing of an end. */
export function leaseFor(
  { blobId, endEpoch, objectId }: StoredBlob,
  { leaseMs }: Pick<BlobStore, "leaseMs">,
  storedAt: string,
): BlobLease | undefined {
  if (endEpoch === undefined && leaseMs === undefined) return undefined;
  const endsAt = leaseMs === undefined ? undefined : endOf(storedAt, leaseMs);
  return { blobId, storedAt, ...defined({ endEpoch, objectId, endsAt }) };
}

const endOf = (storedAt: string, leaseMs: number) => new Date(Date.parse(storedAt) + leaseMs).toISOString();

export function leaseEnd({ storedAt, endsAt }: BlobLease, leaseMs: number): string {
  // The store that took it did not say. It keeps blobs about as long as the one of now.
  return endsAt ?? endOf(storedAt, leaseMs);
}

// Until when the proof of an anchored receipt can be fetched: as long as the blob store keeps the receipt's blob, and those
// of all memories that it names.

/** Null: as long as this service keeps its records. Left out when it is not known of every blob. */
export interface StoredUntil {
  readonly storedUntil?: string | null;
}

export async function storedUntil(
  { blobs: { leaseMs }, records }: Pick<Tenant, "blobs" | "records">,
  blobId: string,
  { usedMemories }: { readonly usedMemories: readonly { readonly storeRef: string }[] },
): Promise<StoredUntil> {
  if (leaseMs === undefined) return { storedUntil: null };
  const blobIds = new Set([blobId, ...usedMemories.map(({ storeRef }) => storeRef)]);
  const leases = await records.leases.findAll([...blobIds]);
  return leases.length === blobIds.size ? { storedUntil: earliest(leases, leaseMs) } : {};
}

/** The earliest end of all proofs. Left out when nothing is anchored, or no end is known. */
export async function storedUntilOfAll({ blobs, records }: Pick<Tenant, "blobs" | "records">): Promise<StoredUntil> {
  if (blobs.leaseMs === undefined) return { storedUntil: null };
  const end = await records.leases.firstEndOfPublished();
  return end === undefined ? {} : { storedUntil: end };
}

const earliest = (leases: readonly BlobLease[], leaseMs: number): string =>
  leases.map((lease) => leaseEnd(lease, leaseMs)).reduce((first, end) => (end < first ? end : first));
