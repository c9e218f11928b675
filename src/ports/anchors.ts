// A receipt's way to the ledger, as it is on record.

/** A receipt whose canonical JSON was stored as a blob. */
export interface BlobAnchor {
  readonly blobId: string;
  readonly digest: string;
  readonly answerId: string;
  /** Whether this service issued the receipt, word for word. */
  readonly issued: boolean;
  readonly anchoredAt: string;
  readonly body: string;
}

/** A receipt to be recorded on the ledger. `claimed` is sorted by UTF-8 bytes and has no repeats. */
export interface ChainAnchorRequest {
  readonly agentId: string;
  readonly blobId: string;
  /** blake2b256 of the blob's bytes, hex. */
  readonly digest: string;
  readonly claimed: readonly string[];
  readonly issued: boolean;
}

/** A request that is on record. It stays pending until its outcome is on record too. */
export interface PendingChainAnchor extends ChainAnchorRequest {
  readonly id: number;
}

/** How a request ended: in a frozen receipt on the ledger. */
export interface ChainAnchor extends ChainAnchorRequest {
  readonly receiptId: string;
  readonly txDigest: string;
  readonly allAuthorized: boolean;
  /** The ledger's own version of the policy, under which the claims were evaluated. */
  readonly ledgerVersion: string;
  readonly anchoredAt: string;
}

/** Which request ended how. */
export interface ChainOutcome extends Omit<ChainAnchor, keyof ChainAnchorRequest> {
  readonly id: number;
}

/** A transaction that was signed, recorded before it was sent: after a crash the same bytes are sent again. */
export interface SignedTransaction {
  readonly txDigest: string;
  readonly bytes: Uint8Array;
  readonly signature: string;
  /** The requests that it anchors, in the order of its calls. */
  readonly requests: readonly number[];
}

/** A transaction of the local ledger, enough to execute it again with the same outcome. */
export interface LoggedTransaction {
  /** Its place in the ledger, from 1. A place that is taken is refused: another process writes to the same log. */
  readonly sequence: number;
  readonly txDigest: string;
  readonly bytes: Uint8Array;
  readonly signatures: readonly string[];
  readonly timestampMs: number;
}
