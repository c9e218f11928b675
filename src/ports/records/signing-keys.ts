// The keys that sign receipts. They live with the records, so that all replicas have them, and no two databases share one.

export interface SigningKeyRecords {
  /** The newest key that has not ended: the one that signs. */
  signing(): Promise<SigningKey | undefined>;
  /** Adds a key. It signs from now on. */
  add(key: SigningKey): Promise<void>;
  /** Ends a key, and forgets its private half. Answers whether there is such a key that had not ended. */
  end(keyId: string, at: string): Promise<boolean>;
  /** Oldest first. */
  list(): Promise<readonly PublicSigningKey[]>;
}

export interface PublicSigningKey {
  readonly keyId: string;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly createdAt: string;
  /** Nothing that is anchored later counts as signed by it. */
  readonly endedAt?: string;
}

export interface SigningKey extends Omit<PublicSigningKey, "endedAt"> {
  /** Ed25519, the seed of 32 bytes. */
  readonly privateKey: Uint8Array;
}
