/**
 * Files that hold snapshots of the recall index. They are derived data: any of them may be missing, old or damaged.
 * Does not know what a snapshot is, and does not decide whether one may be trusted.
 */
export interface SnapshotFiles {
  /** The content of a file, and its SHA-256 in hex; undefined if there is no such file. */
  read(name: string): Promise<{ readonly bytes: Uint8Array; readonly digest: string } | undefined>;
  /** Replaces the file in one step. Takes a chunk at a time, with turns of the event loop in between. Returns the SHA-256. */
  write(name: string, chunks: Iterable<Uint8Array>): Promise<string>;
  /** Removes the file, if there is one. */
  remove(name: string): Promise<void>;
  /** The names of all files. */
  names(): Promise<string[]>;
  /** Rejects with a sentence for the operator when files cannot be written. */
  requireWritable(): Promise<void>;
}
