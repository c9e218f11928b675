// Where bytes are kept.

/** What a store says of a blob that it took. Until which epoch it is kept, and as which object, where it tells. */
export interface StoredBlob {
  readonly blobId: string;
  readonly endEpoch?: number;
  readonly objectId?: string;
}

/** Puts and gets bytes by content. Does not know what a memory or a receipt is, and keeps nothing secret. */
export interface BlobStore {
  /** How many puts at a time the store takes without making some of them wait. */
  readonly putConcurrency: number;
  /** Stores the bytes. The same bytes always have the same id. */
  put(bytes: Uint8Array, options?: Abortable): Promise<StoredBlob>;
  /** The bytes as the store has them now, or undefined when it says that it has none. Rejects when it does not answer. */
  get(blobId: string, options?: Abortable): Promise<Uint8Array | undefined>;
}

/** The id that a blob of these bytes has in the store, derived here and asked of nobody. May take seconds of work. */
export type DeriveBlobId = (bytes: Uint8Array, signal?: AbortSignal) => Promise<string>;

export interface Abortable {
  readonly signal?: AbortSignal;
}
