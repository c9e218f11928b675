/** The transactions of the local ledger, in their order. The log is append-only. */
export interface LedgerLog {
  /** Rejects when the sequence is taken: another process writes to the same log. */
  append(transaction: LoggedTransaction): Promise<void>;
  /** The last transaction that was appended. Undefined before the first, and in a log of version 0.1.0. */
  head(): Promise<Pick<LoggedTransaction, "sequence" | "link"> | undefined>;
  page(page: { readonly after?: number; readonly limit: number }): Promise<readonly LoggedTransaction[]>;
}

/** A transaction of the local ledger, with all that is needed to execute it again with the same outcome. */
export interface LoggedTransaction {
  /** Its position in the ledger, from 1. */
  readonly sequence: number;
  readonly txDigest: string;
  readonly bytes: Uint8Array;
  readonly signatures: readonly string[];
  readonly timestampMs: number;
  /** The hash chain over the log. Null in rows of version 0.1.0, which had none. */
  readonly link: string | null;
}
