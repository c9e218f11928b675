export interface LeaseRecords {
  /** Records the lease in place of the blob's earlier one. */
  put(lease: BlobLease): Promise<void>;
  find(blobId: string): Promise<BlobLease | undefined>;
}

/** How long a store keeps a blob, as of when we last stored it. */
export interface BlobLease {
  readonly blobId: string;
  readonly endEpoch: number;
  readonly objectId?: string;
  readonly storedAt: string;
}
