// Rows of keys, for both databases.
import type { KeyPage, KeyRecord, StoredKey } from "#ports.ts";

/** The columns of a key under the names of its fields. */
export const KEY_COLUMNS = `number, key_id AS "keyId", name, role, captures, created_at AS "createdAt",
  created_by AS "createdBy", expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt",
  key_hash AS "keyHash", previous_hash AS "previousHash", previous_ends_at AS "previousEndsAt"`;

type Optional = "expiresAt" | "revokedAt" | "lastUsedAt" | "previousHash" | "previousEndsAt";

export type KeyRow = Omit<StoredKey, Optional | "captures"> & {
  readonly number: number;
  readonly captures: string;
} & Readonly<Record<Optional, string | null>>;

export function toStoredKey(row: KeyRow): StoredKey {
  const { keyHash, previousHash } = row;
  return { ...toKey(row), keyHash, ...(previousHash !== null && { previousHash }) };
}

/** Without the hashes. */
export function toKey(row: KeyRow): KeyRecord {
  const { keyId, name, role, createdAt, createdBy, expiresAt, revokedAt, lastUsedAt, previousEndsAt } = row;
  return {
    keyId,
    name,
    role,
    captures: JSON.parse(row.captures),
    createdAt,
    createdBy,
    ...(expiresAt !== null && { expiresAt }),
    ...(revokedAt !== null && { revokedAt }),
    ...(lastUsedAt !== null && { lastUsedAt }),
    ...(previousEndsAt !== null && { previousEndsAt }),
  };
}

/** `rows` has one row more than the page when there is a next one. */
export function toKeyPage(rows: readonly KeyRow[], limit: number): KeyPage {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { keys: shown.map(toKey), ...(rows.length > limit && last !== undefined && { next: last.number }) };
}
