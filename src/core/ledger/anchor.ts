// Anchored receipts, as they are on record and in an export.

/** A receipt whose canonical JSON was stored as a blob. */
export interface BlobAnchor {
  readonly blobId: string;
  /** blake2b256 of the blob's bytes, hex. */
  readonly digest: string;
  readonly answerId: string;
  /** Whether this service issued exactly this receipt. */
  readonly issued: boolean;
  readonly anchoredAt: string;
  readonly body: string;
}

/** A frozen receipt on the ledger. `claimed` is sorted by UTF-8 bytes and has no repeats. */
export interface ChainAnchor extends Pick<BlobAnchor, "blobId" | "digest" | "anchoredAt"> {
  readonly receiptId: string;
  readonly txDigest: string;
  readonly agentId: string;
  readonly claimed: readonly string[];
  readonly allAuthorized: boolean;
  /** The version of the policy, as the ledger counts them, that the claims were judged by. */
  readonly ledgerVersion: string;
}
