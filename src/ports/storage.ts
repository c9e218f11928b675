// Bytes outside the records: blobs, snapshots of the index, pruned records, and imports that are being checked.
import type { FencedAction } from "./records/policy.ts";

/** A blob that the store took. The end epoch and the object are there when the store reports them. */
export interface StoredBlob {
  readonly blobId: string;
  /** The store keeps the blob until this epoch. */
  readonly endEpoch?: number;
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

/** Snapshots of the recall index: any may be missing, old or damaged. Does not decide which may be trusted. */
export interface SnapshotFiles {
  /** The content of a file, and its SHA-256 in hex; undefined if there is no such file. */
  read(name: string): Promise<{ readonly bytes: Uint8Array; readonly digest: string } | undefined>;
  /** Replaces the file in one step. Takes a chunk at a time, with turns of the event loop in between. Returns the SHA-256. */
  write(name: string, chunks: Iterable<Uint8Array>): Promise<string>;
  remove(name: string): Promise<void>;
  /** Removes all. */
  clear(): Promise<void>;
  names(): Promise<string[]>;
  /** Rejects with a sentence for the operator when files cannot be written. */
  requireWritable(): Promise<void>;
}

/** Where old records go before they are removed. Does not know what they are. */
export interface Archive {
  /** Appends lines, each a JSON text. Answers when they are on disk. */
  append(kind: "receipts" | "decisions", lines: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Keeps a body that is longer than the memory until it was checked. Nobody else can read it, and it ends with its process. */
export interface Spool {
  /** Rejects with `storage-full` when there is no room. */
  create(): Promise<SpoolFile>;
}

export interface SpoolFile {
  /** Appends bytes. Rejects with `storage-full` when there is no room. */
  append(bytes: Uint8Array): Promise<void>;
  read(range: { readonly offset: number; readonly length: number }): Promise<Uint8Array>;
  size(): number;
  close(): Promise<void>;
}
