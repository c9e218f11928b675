// The blob store.
import type { FencedAction } from "./records/policy.ts";

/** A blob that the store took. The end epoch and the object are there when the store reports them. */
export interface StoredBlob {
  readonly blobId: string;
  /** The store keeps the blob until this epoch. */
  readonly endEpoch?: number;
  /** The object that represents the blob on the chain. */
  readonly objectId?: string;
}

/** Puts and gets bytes by content. It does not know what a memory or a receipt is, and keeps nothing secret. */
export interface BlobStore {
  /** How many puts the store handles at a time. Further ones wait. */
  readonly putConcurrency: number;
  /** How long the store keeps a blob at least, from when it was put. Absent: as long as the records are kept. */
  readonly leaseMs?: number;
  /** Stores the bytes. The same bytes always have the same id. */
  put(bytes: Uint8Array, options?: PutOptions): Promise<StoredBlob>;
  /** The current bytes, or undefined when the store says that it has no such blob. Rejects when it does not answer. */
  get(blobId: string, options?: Abortable): Promise<FetchedBytes | undefined>;
  /** Drops what is kept in this process. Called when memories were forgotten. Absent: nothing is kept. */
  dropCache?(): void;
}

/** `too-large`: the store has a blob under this id, and it is larger than any of ours. Its bytes are not read. */
export type FetchedBytes = Uint8Array | "too-large";

/** Derives the id that a blob of these bytes has in the store, without asking the store. May take seconds of CPU. */
export type DeriveBlobId = (bytes: Uint8Array, signal?: AbortSignal) => Promise<string>;

export interface PutOptions extends Abortable {
  /** The bytes leave the process behind this fence, in each try anew. Rejects with its error when it refuses. */
  readonly fence?: ((send: FencedAction) => Promise<void>) | undefined;
}

export interface Abortable {
  readonly signal?: AbortSignal;
}
