// What stays of a forgotten memory, and of a deleted tenant. Of a memory: that there was one, and who forgot it. No digest of the text: it would confirm guesses.
import { statementBytes } from "./encoding/canonical-json.ts";
import { digestHex } from "./encoding/digest.ts";

export interface Tombstone {
  readonly memoryId: string;
  readonly namespace: string;
  readonly cause: ForgetCause;
  /** In the words of whoever forgot it. */
  readonly reason?: string;
  readonly forgottenBy: string;
  readonly forgottenAt: string;
}

/** Somebody asked for it; its time was over; a reset; an open memory was captured again as an encrypted one. */
export const FORGET_CAUSES = ["forgotten", "expired", "reset", "encrypted"] as const;
export type ForgetCause = (typeof FORGET_CAUSES)[number];

export const LONGEST_REASON = 200;

/** What was removed with a tenant. Superseded memories count, and receipts of answers that were broken off. */
export type DeletedCounts = Readonly<Record<"memories" | "receipts" | "namespaces" | "keys", number>>;

export interface TenantTombstone extends DeletedCounts {
  readonly tenantId: string;
  readonly startedAt: string;
  readonly endedAt: string;
}

export function tenantTombstoneBytes(tombstone: TenantTombstone): Uint8Array {
  const { endedAt, keys, memories, namespaces, receipts, startedAt, tenantId } = tombstone;
  const signed = { endedAt, keys, memories, namespaces, receipts, startedAt, tenantId };
  return statementBytes("tenant-tombstone/v1", signed);
}

export function tombstoneBytes(tombstone: Said): Uint8Array {
  const { cause, forgottenAt, forgottenBy, memoryId, namespace, reason } = tombstone;
  return statementBytes("tombstone/v1", { cause, forgottenAt, forgottenBy, memoryId, namespace, reason });
}

type Said = Omit<Tombstone, "memoryId" | "namespace"> & { readonly memoryId?: string; readonly namespace?: string };

/** As the log has it. A reset forgets every memory, maybe millions: one entry, which names none, dates all its tombstones. */
export function tombstoneDigest(tombstone: Said): string {
  const { memoryId: _, namespace: __, ...ofAll } = tombstone;
  return digestHex(tombstoneBytes(tombstone.cause === "reset" ? ofAll : tombstone));
}
