// All records as they are stored, for a check of their consistency.
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
  readonly counters: Numbers<"memory" | "policy" | "memories" | "forgotten" | "pins" | "receipts" | "anchors"> &
    Numbers<"onLedger" | "superseded" | "encryptionChanges" | "decisions" | "decisionsCounted" | "begun"> &
    Numbers<"foreignAnchors"> &
    Numbers<"memoriesCounted" | "textBytesCounted" | "namespacesCounted" | "policyRulesCounted" | "receiptsCounted">;
  /** By sequence. */
  readonly memory: MemoryRow;
  /** History, by sequence, and whether its removal is on record. */
  readonly superseded: MemoryRow & { readonly hasRemoval: number };
  /** Removals, by sequence. `captured` is the sequence of the memory. */
  readonly forgotten: Numbers<"sequence" | "captured"> & Texts<"cause">;
  /** Rows that are not as they were recorded: their digest is not that of their fields. */
  readonly altered: { readonly kind: "decision" | "removal" | "pin" | "encryption"; readonly sequence: number };
  /** Namespaces that were encrypted or unencrypted, by sequence. */
  readonly encryptionChange: Numbers<"sequence"> & Texts<"namespace">;
  /** The log of pins, by sequence. `captured` is the sequence of the memory, which may be forgotten by now. */
  readonly pin: Numbers<"sequence" | "captured" | "pinned"> & Texts<"namespace">;
  /** What is counted of a namespace, and what its memories say. `last` is the greatest sequence of its changes. */
  readonly namespace: Texts<"name"> & Numbers<"memories" | "head" | "recorded" | "last", null>;
  /** What is counted of a source agent, and what its memories say. */
  readonly sourceAgent: Texts<"name"> & Numbers<"memories" | "recorded", null>;
  readonly rule: Texts<"agentId" | "namespace"> & Numbers<"allowed">;
  /** By version. */
  readonly change: Numbers<"version"> & Texts<"agentId" | "namespace" | "by" | "at"> & Numbers<"was" | "became", null>;
  /** The hash chain over the change log, by version. The first hash is random. */
  readonly policyChain: Numbers<"version"> & Texts<"chainHash">;
  /** Names of blocked lists, by digest and name. */
  readonly blocked: Texts<"digest" | "namespace">;
  /** A receipt, and the fields that it is searched by. `isImported`: another service issued it, under its own policy. */
  readonly receipt: Texts<"answerId"> &
    Texts<"agentId" | "createdAt" | "body" | "seed" | "foundAgentId" | "namespaces", null> &
    Texts<"blockedDigest" | "model" | "reason", null> &
    Numbers<"isVerified", null> &
    Numbers<"isImported">;
  /** A receipt that is not complete, and whether there is a complete one with the same id. */
  readonly begun: Texts<"answerId" | "agentId" | "createdAt" | "body" | "namespaces"> &
    Texts<"seed" | "blockedDigest" | "reason" | "model", null> &
    Numbers<"isComplete" | "isImported">;
  readonly hour: HourOfAnswers;
  /** What `hour` counts of receipts that were pruned. */
  readonly prunedHour: HourOfAnswers;
  readonly anchor: Omit<BlobAnchor, "issued" | "anchoredAt"> & {
    readonly issuedAnswer: string | null;
    /** The body on record of the receipt that was issued under this id; null when none was. */
    readonly issuedBody: string | null;
  };
  /** `requests`: how many ended in it. */
  readonly onLedger: RequestRow &
    Texts<"receiptId" | "txDigest" | "ledgerVersion"> &
    Numbers<"allAuthorized" | "requests">;
  /** `isSame`: whether the receipt that it ended in has the same fields; null while it is pending. */
  readonly request: RequestRow &
    Numbers<"id"> &
    Texts<"claimsDigest"> &
    Texts<"receiptId", null> &
    Numbers<"isSame", null>;
  /**
   * `isAsLogged`: whether the local ledger's log has the same bytes; null when it does not have the transaction.
   * `isReplaced`: whether the log does not have it any more as it had when the outcome was recorded.
   */
  readonly transaction: Texts<"txDigest" | "requests"> & Numbers<"isOpen" | "isReplaced"> & Numbers<"isAsLogged", null>;
  /** By sequence, those of all tenants. What no tenant has a record of counts as the first one's own. */
  readonly logged: Numbers<"sequence" | "timestampMs" | "isOwn"> & Texts<"txDigest">;
  /** One row at most: the last sequence of the local ledger's log. */
  readonly ledgerHead: Numbers<"sequence">;
  /** The lease of a blob that belongs to no memory and no anchor. */
  readonly strayLease: Texts<"blobId">;
  /** Proposals that keep a text although they were decided, in the clear in an encrypted namespace, or without a receipt. */
  readonly faultyProposal: Texts<"proposalId"> & Numbers<"isDecided" | "isExposed">;
  /** The local ledger's key, if it is kept. */
  readonly writeOnce: Texts<"name">;
  /** What the tenant has in the transparency log, by number. `treeIndex` is null while it waits for its place. */
  readonly logBatch: LogBatchRow;
  /** The same of the deployment itself. */
  readonly deploymentBatch: LogBatchRow;
  /** The ends of both chains, as far as they are in the tree: that of the deployment first. */
  readonly logChain: Numbers<"isOwn" | "number"> & Texts<"chain" | "key">;
  /** Tiles of level 0 with entries of the tenant, and for `default` all tiles, in their order. `hashes` in hex. */
  readonly logTile: Numbers<"level" | "number"> & Texts<"hashes">;
  readonly logHead: Numbers<"size"> & Texts<"root">;
  /** Memories that were forgotten or expired, and what their entries in the log are about: a reset has one for all. */
  readonly forgottenId: Texts<"memoryId" | "about">;
}

type LogBatchRow = Numbers<"last"> & Texts<"at" | "entries"> & Numbers<"inForce" | "treeIndex", null>;

type Texts<Column extends string, Missing = never> = Readonly<Record<Column, string | Missing>>;
type Numbers<Column extends string, Missing = never> = Readonly<Record<Column, number | Missing>>;

/** `encryptionKeyId`: null when it is not encrypted. */
type MemoryRow = Texts<
  "memoryId" | "storeRef" | "namespace" | "content" | "sourceAgent" | "createdAt" | "contentDigest"
> &
  Texts<"factHash"> &
  Texts<"encryptionKeyId" | "expiresAt" | "occurredAt" | "metadata", null> &
  Numbers<"sequence" | "pinned">;

interface RequestRow extends Omit<ChainAnchorRequest, "claimed" | "policyVersion"> {
  readonly claimed: string;
  /** Of the anchor with this blob; null when there is none. */
  readonly anchorDigest: string | null;
}
