// Verification: what a stranger can check of a receipt, from the object on the ledger and the raw bytes of the blobs.

/** The fields of the Move struct `Receipt`, in JavaScript's words. */
export interface ChainReceipt {
  readonly gate: string;
  readonly agent: string;
  readonly blobId: string;
  /** Hex. */
  readonly digest: string;
  readonly claimed: readonly string[];
  readonly allAuthorized: boolean;
  readonly issued: boolean;
  readonly policyVersion: string;
  readonly anchoredAtMs: number;
}
