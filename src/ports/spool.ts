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
  /** Removes it. */
  close(): Promise<void>;
}
