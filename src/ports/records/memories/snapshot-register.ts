/**
 * Which snapshots of the recall index were made of these records. A snapshot that is on record here has their history:
 * a database that was restored from an older backup, or another database, does not know it.
 */
export interface SnapshotRegister {
  /** Records the SHA-256 of a snapshot of this namespace. A few of the newest are kept, because replicas make their own. */
  add(namespace: string, digest: string): Promise<void>;
  /** Forgets the snapshots of this namespace. */
  remove(namespace: string): Promise<void>;
  /** All of them: the digests by namespace. */
  all(): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
}
