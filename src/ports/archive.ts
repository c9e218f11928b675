/** Where old records go before they are removed. Does not know what they are. */
export interface Archive {
  /** Appends lines, each a JSON text. Answers when they are on disk. */
  append(kind: "receipts" | "decisions", lines: readonly string[]): Promise<void>;
  /** Ends the files of this run. */
  close(): Promise<void>;
}
