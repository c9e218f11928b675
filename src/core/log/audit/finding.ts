// What an audit of a log finds: each is evidence that can be shown to others, or at least to the operator.

export type FindingCode =
  // Of the log as a whole.
  | ("signature" | "fork" | "shrunk" | "root" | "begun-anew" | "not-cosigned" | "not-as-anchored")
  // Of the entries of a chain.
  | ("malformed" | "gap" | "order" | "time-back" | "time-ahead" | "late" | "not-in-tree" | "chain")
  | ("opened-twice" | "second-end" | "no-end" | "version-in-force" | "version-skipped" | "revived")
  // Of what is on record beside it.
  | ("receipt-not-in-log" | "receipt-removed" | "policy-not-in-log" | "policy-not-on-record" | "policy-digest")
  | ("key-not-in-log" | "key-not-on-record" | "key-before-entry" | "key-after-end" | "not-revoked")
  | ("key-elsewhere" | "not-restored" | "verifier-not-in-log");

export interface Finding {
  readonly code: FindingCode;
  /** Of the entry, in its chain. */
  readonly number?: number;
  readonly sentence: string;
}

export type Report = (code: FindingCode, sentence: string, number?: number) => void;
