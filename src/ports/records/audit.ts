// All records as they are stored, for a check of their consistency.
import type { Memory } from "#core/memory.ts";
import type { BlobAnchor, ChainAnchorRequest } from "./anchoring.ts";
import type { HourOfAnswers } from "./receipts.ts";

/** All records, as of one moment and as the database has them. */
export interface RecordAudit {
  rows<Kind extends keyof RecordRows>(kind: Kind): AsyncIterable<RecordRows[Kind]>;
  /** What the database itself finds wrong with its files, a sentence each. */
  complaints(): Promise<readonly string[]>;
}

/** The rows of an audit, by kind. Flags are 0 or 1, lists are JSON. A field is null when a row has no counterpart. */
export interface RecordRows {
  /** One row: the values of the counters, the number of rows of each kind, and the totals that are kept for limits. */
  readonly counters: Readonly<
    Record<"memory" | "policy" | "memories" | "forgotten" | "pins" | "receipts" | "anchors" | "onLedger", number> &
      Record<"superseded" | "encryptionChanges" | "decisions" | "decisionsCounted", number> &
      Record<"namespaces" | "leaves", number>
  >;
  /** By sequence. */
  readonly memory: MemoryRow;
  /** History, by sequence, and whether its removal is on record. */
  readonly superseded: MemoryRow & { readonly hasRemoval: number };
  /** Removals, by sequence. `captured` is the sequence of the memory. */
  readonly forgotten: { readonly sequence: number; readonly captured: number; readonly cause: string };
  /** Rows that are not as they were recorded: their digest is not that of their fields. */
  readonly altered: { readonly kind: "decision" | "removal" | "pin" | "encryption"; readonly sequence: number };
  /** Namespaces that were encrypted or unencrypted, by sequence. */
  readonly encryptionChange: { readonly sequence: number; readonly namespace: string };
  /** The log of pins, by sequence. `captured` is the sequence of the memory, which may be forgotten by now. */
  readonly pin: {
    readonly sequence: number;
    readonly captured: number;
    readonly namespace: string;
    readonly pinned: number;
  };
  /** What is counted of a namespace, and what its memories say. `last` is the greatest sequence of its changes. */
  readonly namespace: { readonly name: string } & {
    readonly [Column in "memories" | "head" | "recorded" | "last"]: number | null;
  };
  /** What is counted of a source agent, and what its memories say. */
  readonly sourceAgent: { readonly name: string; readonly memories: number | null; readonly recorded: number | null };
  readonly leaf: { readonly agentId: string; readonly namespace: string; readonly allowed: number };
  /** By version. */
  readonly change: {
    readonly version: number;
    readonly agentId: string;
    readonly namespace: string;
    readonly was: number | null;
    readonly became: number | null;
    readonly by: string;
    readonly at: string;
  };
  /** The hash chain over the change log, by version. The first link is random. */
  readonly link: { readonly version: number; readonly link: string };
  /** Names of blocked lists, by digest and name. */
  readonly blocked: { readonly digest: string; readonly namespace: string };
  /** A receipt, and the fields that it is searched by. */
  readonly receipt: { readonly answerId: string } & {
    readonly [Column in "agentId" | "createdAt" | "body" | "seed" | "foundAgentId" | "namespaces" | "blockedDigest"]:
      | string
      | null;
  } & {
    readonly model: string | null;
    readonly isVerified: number | null;
    readonly reason: string | null;
    /** Another service issued it, under its own policy. */
    readonly isImported: number;
  };
  /** A receipt that is not complete. */
  readonly opened: { readonly answerId: string } & {
    readonly [Column in "agentId" | "createdAt" | "body" | "namespaces"]: string;
  } & {
    readonly [Column in "seed" | "blockedDigest" | "reason" | "model"]: string | null;
  } & {
    /** Whether there is a complete receipt with the same id. */
    readonly isComplete: number;
    readonly isImported: number;
  };
  readonly hour: HourOfAnswers;
  /** What `hour` counts of receipts that were pruned. */
  readonly prunedHour: HourOfAnswers;
  readonly anchor: Omit<BlobAnchor, "issued" | "anchoredAt"> & {
    readonly issuedAnswer: string | null;
    /** The body on record of the receipt that was issued under this id; null when none was. */
    readonly issuedBody: string | null;
  };
  readonly onLedger: RequestRow & {
    readonly receiptId: string;
    readonly txDigest: string;
    readonly allAuthorized: number;
    readonly ledgerVersion: string;
    /** How many requests ended in it. */
    readonly requests: number;
  };
  readonly request: RequestRow & {
    readonly id: number;
    readonly receiptId: string | null;
    /** Null in a database that looks up the claims themselves. */
    readonly claimsDigest: string | null;
    /** Whether the receipt that it ended in has the same fields; null while it is pending. */
    readonly isSame: number | null;
  };
  readonly transaction: {
    readonly txDigest: string;
    readonly isOpen: number;
    readonly requests: string;
    /** Whether the local ledger's log has the same bytes; null when it does not have the transaction. */
    readonly isAsLogged: number | null;
    /** Whether the log does not have it any more as it had when the outcome was recorded. */
    readonly isReplaced: number;
  };
  /** By sequence. */
  readonly logged: { readonly sequence: number; readonly txDigest: string; readonly timestampMs: number };
  /** One row at most: the last sequence of the local ledger's log. */
  readonly ledgerHead: { readonly sequence: number };
  /** The lease of a blob that belongs to no memory and no anchor. */
  readonly strayLease: { readonly blobId: string };
  /** The local ledger's key, if it is kept. */
  readonly writeOnce: { readonly name: string };
}

interface MemoryRow
  extends Pick<
    Memory,
    "memoryId" | "storeRef" | "namespace" | "content" | "sourceAgent" | "createdAt" | "contentDigest"
  > {
  readonly sequence: number;
  readonly pinned: number;
  /** Null when it is not encrypted. */
  readonly encryptionKeyId: string | null;
  readonly factHash: string;
  readonly expiresAt: string | null;
}

interface RequestRow extends Omit<ChainAnchorRequest, "claimed" | "policyVersion"> {
  readonly claimed: string;
  /** Of the anchor with this blob; null when there is none. */
  readonly anchorDigest: string | null;
}
