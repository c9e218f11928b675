export interface LeaseRecords {
  /** Records the lease in place of the blob's earlier one. */
  put(lease: BlobLease): Promise<void>;
  find(blobId: string): Promise<BlobLease | undefined>;
  /** Those that are on record for these blobs, in any order. */
  findAll(blobIds: readonly string[]): Promise<readonly BlobLease[]>;
  /** The first `endsAt` among the receipts that were issued and anchored here, and the memories that they name. */
  firstEndOfPublished(): Promise<string | undefined>;
}

/** How long a store keeps a blob, as of when we last stored it. */
export interface BlobLease {
  readonly blobId: string;
  /** If the store tells it. */
  readonly endEpoch?: number;
  readonly objectId?: string;
  readonly storedAt: string;
  /** The store keeps the blob at least until then. Absent in leases of earlier versions. */
  readonly endsAt?: string;
}
