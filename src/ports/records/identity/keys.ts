// Keys and the sessions that were opened with them. Neither is stored: their hashes are.

/** Does not decide whether a key holds, and never sees one. */
export interface KeyRecords {
  /** Records a new key. */
  add(key: KeyRecord, keyHash: string): Promise<void>;
  /** What is on record now: no answer comes from a cache. */
  find(keyId: string): Promise<StoredKey | undefined>;
  /** Newest first, revoked ones included. */
  page(page: { readonly before?: number; readonly limit: number }): Promise<KeyPage>;
  /**
   * Gives a key another hash. The one that it had is good until `previousEndsAt`, or ends at once; one from an earlier
   * rotation ends in any case. Undefined when there is no such key, or when it was revoked.
   */
  rotate(keyId: string, keyHash: string, previousEndsAt?: string): Promise<KeyRecord | undefined>;
  /** Idempotent: the first time counts. Undefined when there is no such key. */
  revoke(keyId: string, at: string): Promise<KeyRecord | undefined>;
  /** Records a use, unless one after `unlessAfter` is on record. */
  used(keyId: string, at: string, unlessAfter: string): Promise<void>;
  /** Whether an admin's key was ever made. */
  hasAdmin(): Promise<boolean>;
  /** The places of the credentials that are no longer good at `now`, in one statement. */
  endedAmong(credentials: readonly KeyCredential[], now: string): Promise<readonly number[]>;
}

export interface SessionRecords {
  /** Records a session, and forgets those that ended, and the oldest of a key that has more than `most`. */
  add(session: SessionRecord, limits: { readonly now: string; readonly most: number }): Promise<void>;
  find(sessionHash: string): Promise<SessionRecord | undefined>;
  remove(sessionHash: string): Promise<void>;
}

export interface KeyRecord {
  readonly keyId: string;
  readonly name: string;
  /** A role's text form. */
  readonly role: string;
  /** The namespaces that an agent's key may capture into. */
  readonly captures: readonly string[];
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
  readonly lastUsedAt?: string;
  /** Until when the secret before the last rotation is good. */
  readonly previousEndsAt?: string;
}

export interface StoredKey extends KeyRecord {
  /** SHA-256 of the whole key, hex. */
  readonly keyHash: string;
  readonly previousHash?: string;
}

export interface KeyPage {
  readonly keys: readonly KeyRecord[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: number;
}

export interface SessionRecord {
  /** SHA-256 of the session's id, hex. */
  readonly sessionHash: string;
  readonly keyId: string;
  /** Of the secret that it was opened with. The session ends with it. */
  readonly keyHash: string;
  readonly createdAt: string;
  readonly endsAt: string;
}

/** A key, or a session of it, that somebody uses right now. */
export interface KeyCredential {
  readonly keyId: string;
  readonly keyHash: string;
  readonly sessionHash?: string;
}
