import type { NameList } from "#core/encoding/digest.ts";
import type { BreakReason, ReceiptStatus } from "#core/receipt/receipt.ts";
import type { BlobAnchor, ChainAnchor } from "./anchoring.ts";
import type { Decision } from "./logs.ts";
import type { After, Page, PageOf } from "./paging.ts";

export interface ReceiptRecords {
  /** Records a receipt before its prompt leaves. `add` puts the complete one in its place, `breakOff` ends it. */
  begin(receipt: OpenedReceipt): Promise<void>;
  /** Records the complete receipt and, in the same step, the row of the decision log. */
  add(receipt: LoggedReceipt, decision?: Decision): Promise<void>;
  /** Marks a receipt, begun or complete, whose answer did not reach the caller whole. The first mark counts. */
  breakOff(broken: BrokenOff): Promise<void>;
  /** Marks receipts as abandoned that were begun before this time and have no end, a bounded number. Answers how many. */
  abandon(begunBefore: string): Promise<number>;
  /** How many are begun and have no end yet. */
  countBegun(): Promise<number>;
  /** Whether a receipt with this id and exactly this canonical JSON, without text of memories, was issued here. */
  isIssued(answerId: string, body: string): Promise<boolean>;
  find(answerId: string): Promise<RecordedReceipt | undefined>;
  /** By answer id, greatest first. Ids begin with the time. */
  page(page: PageOf<string> & ReceiptFilter): Promise<ReceiptPage>;
  /** Of a list that was kept with a receipt or a decision: the names after this one, in UTF-8 order. Empty when it is not on record. */
  listedNames(page: After<string> & { readonly digest: string }): Promise<string[]>;
  /** From the hour `since` (`2026-01-02T03`) on, oldest first. Hours without answers are left out. */
  byHour(since: string): Promise<readonly HourOfAnswers[]>;
}

export interface BegunRecord {
  readonly answerId: string;
  readonly agentId: string;
  readonly createdAt: string;
  /** The used and the blocked ones, without repeats. Without the blocked ones when `blockedList` has them. */
  readonly namespaces: readonly string[];
  /** All blocked namespaces, when the receipt does not list them all. The store keeps each list once. */
  readonly blockedList?: NameList;
  /** The memories that it names, and their namespaces, without repeats. */
  readonly memoryIds: readonly string[];
  readonly usedNamespaces: readonly string[];
  /** The name of the model that was asked; null when none was. */
  readonly model: string | null;
  /** The canonical JSON of the receipt without any text of memories: they may be forgotten. */
  readonly body: string;
  /** Opens its private fields, hex. */
  readonly seed: string;
}

export interface IssuedReceipt extends BegunRecord {
  /** How many memories it used, and how many of them were verified, and intact, when it was issued. */
  readonly used: number;
  readonly verified: number;
  readonly intact: number;
  /** Not kept when a memory is gone or the answer given up. It goes with the receipt and with each of its memories. */
  readonly question?: KeptQuestion | undefined;
}

/** With what the transparency log says of it. */
export interface OpenedReceipt extends BegunRecord {
  /** Of the policy that it was made under. */
  readonly policyVersion: number;
}

export interface LoggedReceipt extends IssuedReceipt, OpenedReceipt {
  /** Of what is signed, and of the signature, hex. */
  readonly sealedDigest: string;
  readonly signatureDigest: string;
  /** Whether `begin` has recorded it before. */
  readonly wasBegun: boolean;
}

/** The question of an answer, where the service is set to keep it. */
export interface KeptQuestion {
  readonly text: string;
  /** Whether the text is ciphertext. */
  readonly encrypted: boolean;
}

export interface BrokenOff {
  readonly answerId: string;
  readonly agentId: string;
  readonly at: string;
  readonly reason: BreakReason;
  /** The row of the decision log, recorded in the same step. */
  readonly decision?: Decision | undefined;
}

/** Which receipts a page may hold. A field that is left out lets all pass. */
export interface ReceiptFilter {
  readonly agentId?: string | undefined;
  readonly answerIds?: readonly string[] | undefined;
  /** Used, or blocked. */
  readonly namespace?: string | undefined;
  readonly anchored?: boolean | undefined;
  /** Whether every used memory was verified and intact. It is not known of a receipt that is not complete. */
  readonly verified?: boolean | undefined;
  readonly status?: ReceiptStatus | undefined;
  readonly model?: string | undefined;
  /** The smallest answer id. Ids begin with the time. */
  readonly since?: string | undefined;
}

export interface RecordedReceipt {
  /** The canonical JSON of the receipt without any text of memories. */
  readonly body: string;
  /** Opens its private fields, hex. An imported receipt may lack it. */
  readonly seed?: string;
  readonly question?: KeptQuestion;
  readonly status: ReceiptStatus;
  readonly reason?: BreakReason;
  /** The newest one, when it was stored in several stores. */
  readonly anchor: (Pick<BlobAnchor, "blobId" | "anchoredAt"> & AnchoredForm) | null;
  /** Oldest first, and only the last 20: anybody may anchor a receipt again with other claims. */
  readonly chain: readonly (Pick<ChainAnchor, "receiptId" | "txDigest" | "allAuthorized" | "claimed" | "anchoredAt"> &
    AnchoredForm)[];
  /** How many requests for the ledger have no outcome yet. */
  readonly pending: number;
}

/** A receipt may be anchored open and sealed. These are two blobs. */
interface AnchoredForm {
  readonly sealed?: true;
}

/** The next page begins before an answer id. */
export type ReceiptPage = Page<"receipts", RecordedReceipt, string>;

export interface HourOfAnswers extends Pick<IssuedReceipt, "used" | "verified" | "intact"> {
  /** The first characters of their `createdAt`: `2026-01-02T03`. */
  readonly hour: string;
  /** The complete receipts. */
  readonly answers: number;
  /** Those that were broken off, some of them when their receipt was complete. */
  readonly brokenOff: number;
}
