// Keys: made, listed, rotated and revoked. The text of a key is given to the caller once, and only its hash is stored.
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { invalidFields, PortcullisError } from "#core/errors.ts";
import { formatApiKey, KEY_ID_BYTES, keyIdOf, SECRET_BYTES } from "#core/identity/credentials.ts";
import { parseRole, roleText } from "#core/identity/principal.ts";
import type { JobLocks, KeyRecord, KeyRecords, StoredKey } from "#ports.ts";

interface KeyParts {
  readonly records: { readonly keys: KeyRecords };
  readonly now: () => Date;
}

export interface NewKey {
  readonly name: string;
  /** In its text form. */
  readonly role: string;
  readonly captures?: readonly string[] | undefined;
  readonly expiresAt?: string | undefined;
}
export interface IssuedKey {
  readonly key: string;
  readonly record: KeyRecord;
}

export const LONGEST_GRACE_SECONDS = 24 * 3_600;

export async function createKey({ records, now }: KeyParts, asked: NewKey, by: string): Promise<IssuedKey> {
  const role = parseRole(asked.role, asked.captures);
  const expiry = asked.expiresAt === undefined ? undefined : new Date(asked.expiresAt);
  if (expiry !== undefined && !(expiry > now())) throw invalid("expiresAt", "must be a time in the future");
  const record: KeyRecord = {
    keyId: keyIdOf(randomBytes(KEY_ID_BYTES)),
    name: asked.name,
    role: roleText(role),
    captures: role.role === "agent" ? role.captures : [],
    createdAt: now().toISOString(),
    createdBy: by,
    ...(expiry !== undefined && { expiresAt: expiry.toISOString() }),
  };
  const key = formatApiKey(record.keyId, randomBytes(SECRET_BYTES));
  await records.keys.add(record, hashOf(key));
  return { key, record };
}

/** Gives a key another secret. The old one ends at once, or after the grace period. */
export async function rotateKey(
  { records, now }: KeyParts,
  keyId: string,
  { graceSeconds = 0 }: { readonly graceSeconds?: number | undefined } = {},
): Promise<IssuedKey> {
  if (!(graceSeconds >= 0 && graceSeconds <= LONGEST_GRACE_SECONDS))
    throw invalid("graceSeconds", `must be between 0 and ${LONGEST_GRACE_SECONDS}`);
  const key = formatApiKey(keyId, randomBytes(SECRET_BYTES));
  const endsAt = graceSeconds === 0 ? undefined : new Date(now().getTime() + graceSeconds * 1_000).toISOString();
  const record = await records.keys.rotate(keyId, hashOf(key), endsAt);
  if (record === undefined) throw notFound("There is no such key, or it was revoked.");
  return { key, record };
}

/** Ends a key, its sessions and its streams, on every replica. Idempotent. */
export async function revokeKey({ records, now }: KeyParts, keyId: string): Promise<KeyRecord> {
  const record = await records.keys.revoke(keyId, now().toISOString());
  if (record === undefined) throw notFound("There is no such key.");
  return record;
}

/** Undefined when one was ever made: a lost one is replaced with the command, so that a restart hands out nothing. */
export async function ensureFirstKey(
  tenant: KeyParts & { readonly records: { readonly locks: JobLocks } },
  role: "admin" | "operator",
): Promise<IssuedKey | undefined> {
  const { keys, locks } = tenant.records;
  if (await keys.hasAdmin()) return undefined;
  return locks.exclusively("first-key", async () =>
    (await keys.hasAdmin()) ? undefined : createKey(tenant, { name: `first ${role}`, role }, "first start"),
  );
}

const invalid = (field: string, detail: string): PortcullisError => invalidFields({ pointer: `#/${field}`, detail });

const notFound = (sentence: string) => new PortcullisError("not-found", sentence);

/** SHA-256, hex. What is hashed has 192 random bits or more, so nobody can find it by trying. */
export const hashOf = (secret: string): string => hash("sha256", secret, "hex");

/** Takes the same time wherever the hashes differ. */
const isSameHash = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** Whether a key with this hash is good now. The records decide the same in `endedAmong`. */
export function accepts(key: StoredKey, keyHash: string, now: Date): boolean {
  const at = now.toISOString();
  if (key.revokedAt !== undefined || (key.expiresAt !== undefined && key.expiresAt <= at)) return false;
  const { previousHash, previousEndsAt } = key;
  // Both are compared, whatever the first says, so that the time does not tell which secret it is.
  const isCurrent = isSameHash(key.keyHash, keyHash);
  const isPrevious = previousHash !== undefined && isSameHash(previousHash, keyHash);
  return isCurrent || (isPrevious && previousEndsAt !== undefined && previousEndsAt > at);
}
