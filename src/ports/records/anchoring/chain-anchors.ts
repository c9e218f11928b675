// Receipts on their way to the ledger: requests, the signed transactions that carry them, and outcomes.

export interface ChainAnchorRecords {
  /** Records a request. Idempotent while the same request is pending. */
  request(request: ChainAnchorRequest, at: string): Promise<PendingChainAnchor>;
  /** The requests without an outcome on record, oldest first. */
  pending(): Promise<PendingChainAnchor[]>;
  /** How many requests have no outcome on record. Stops counting at `most`. */
  countPending(most: number): Promise<number>;
  /**
   * Records a transaction, before it is sent. A refused one may be built again, byte for byte, and is open again.
   * Rejects while another one is open: two transactions that use the same coin must never be sent. What it tells a gate
   * counts as told from now on.
   */
  addTransaction(transaction: SignedTransaction): Promise<void>;
  /** The transactions without an outcome on record. */
  openTransactions(): Promise<SignedTransaction[]>;
  /** Whether the transaction was ever recorded here. */
  hasTransaction(txDigest: string): Promise<boolean>;
  /** Records the outcomes of a transaction's requests. Requests without one are pending again. */
  closeTransaction(txDigest: string, outcomes: readonly ChainOutcome[]): Promise<void>;
  /** Ends a request that needed no transaction of its own. */
  complete(outcome: ChainOutcome): Promise<void>;
  /** Ends a request that the ledger will never take. Its caller was told so. */
  drop(id: number): Promise<void>;
  find(receiptId: string): Promise<ChainAnchor | undefined>;
  /** The outcome of a request; undefined while it is pending, and when it was dropped. */
  outcomeOf(id: number): Promise<ChainAnchor | undefined>;
}

/** A receipt to be recorded on the ledger. `claimed` is sorted by UTF-8 bytes and has no repeats. */
export interface ChainAnchorRequest {
  readonly agentId: string;
  readonly blobId: string;
  /** blake2b256 of the blob's bytes, hex. */
  readonly digest: string;
  readonly claimed: readonly string[];
  /** The version of the policy that the claims are judged by. The newest closed one, for a receipt of somebody else. */
  readonly policyVersion: number | "newest";
}

/** A request that is on record. It stays pending until its outcome is on record too. */
export interface PendingChainAnchor extends ChainAnchorRequest {
  readonly id: number;
}

/** The outcome of a request: a frozen receipt on the ledger. */
export interface ChainAnchor extends Omit<ChainAnchorRequest, "policyVersion"> {
  readonly receiptId: string;
  readonly txDigest: string;
  readonly allAuthorized: boolean;
  /** The version of the policy, as the ledger counts them, that the claims were judged by. */
  readonly ledgerVersion: string;
  readonly anchoredAt: string;
}

/** The outcome of the request `id`. */
export interface ChainOutcome extends Omit<ChainAnchor, keyof ChainAnchorRequest> {
  readonly id: number;
}

/** A signed transaction. It is recorded before it is sent, so that the same bytes can be sent again after a crash. */
export interface SignedTransaction {
  readonly txDigest: string;
  readonly bytes: Uint8Array;
  readonly signature: string;
  /** The requests that it anchors, in the order of its calls. */
  readonly requests: readonly number[];
  /** The greatest version of the policy of which it tells a gate. */
  readonly tells?: { readonly gateId: string; readonly version: number } | undefined;
}
