// Append-only logs of ids and names, without any text: decisions (who was given or refused what, under which policy), and
// events for listeners, each recorded in the transaction of its change and kept for a day. Retention removes what is old.
import type { ActivityKind, DecisionDetails, Outcome } from "#core/activity-kind.ts";
import type { ListRef, NameList } from "#core/encoding/digest.ts";
import type { WantedRule } from "#core/gate/policy.ts";
import type { RoleName } from "#core/identity/principal.ts";
import type { Memory } from "#core/memory.ts";
import type { BreakReason } from "#core/receipt/receipt.ts";
import type { ForgetCause } from "#core/tombstone.ts";
import type { Page, PageOf } from "./paging.ts";

export type { ListRef };

export interface DecisionRecords {
  /** For a decision without a change of its own: the row of a change is recorded with the change (`Stamp`). */
  add(decision: Decision): Promise<void>;
  /** Newest first, by time and then by sequence. Clocks of replicas differ, so the two orders may differ a little. */
  page(page: PageOf<number> & DecisionFilter): Promise<DecisionPage>;
}

export interface Decision {
  readonly at: string;
  readonly principalId: string;
  readonly principalName: string;
  /** `service`: nobody called, as when a memory expires. */
  readonly role: RoleName | "service";
  /** The id of the request, as its reply has it. Callers may choose it, so several requests may have the same. */
  readonly requestId?: string | undefined;
  /** In whose name something was asked for, or whose row of the policy changed. */
  readonly agentId?: string | undefined;
  /** The name of the row of the route table. */
  readonly route: string;
  readonly policyVersion: number;
  /** The namespaces that existed then, divided for the agent; absent if the gate was not asked. Each is kept once. */
  readonly allowed?: NameList | undefined;
  readonly blocked?: NameList | undefined;
  readonly outcome: Outcome;
  readonly answerId?: string | undefined;
  /** Not kept for a capture of a fact that was on record already. */
  readonly memoryId?: string | undefined;
  /** Of a change, a capture or a forgetting: the namespace that it is about. */
  readonly namespace?: string | undefined;
  readonly details?: DecisionDetails | undefined;
}

/** A decision on record. Its lists are read with `ReceiptRecords.listedNames`. */
export interface RecordedDecision extends Omit<Decision, "allowed" | "blocked"> {
  readonly sequence: number;
  readonly allowed?: ListRef;
  readonly blocked?: ListRef;
}

/** Which decisions a page may hold. A field that is left out lets all pass. */
export interface DecisionFilter {
  readonly agentId?: string | undefined;
  /** A thousand decisions of one id are looked at. */
  readonly requestId?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly kind?: ActivityKind | undefined;
  /** What the decision is about, or a namespace that it held back. */
  readonly namespace?: string | undefined;
  /** Inclusive. */
  readonly from?: string | undefined;
  /** Exclusive. */
  readonly to?: string | undefined;
}

/** The next page begins before a sequence. */
export type DecisionPage = Page<"decisions", RecordedDecision, number>;

export interface EventRecords {
  position(): Promise<EventPosition>;
  /** The events after this sequence, in the order of commits. */
  after(page: { readonly after: number; readonly limit: number }): Promise<readonly RecordedEvent[]>;
  /** Forgets the oldest events that are older than this time, a bounded number of them, and never the newest. Answers how many. */
  prune(before: string): Promise<number>;
}

export interface EventPosition {
  /** The sequence of the last event; 0 before the first. */
  readonly head: number;
  /** Events up to this sequence may be forgotten. All later ones are on record. */
  readonly floor: number;
}

export type RecordedEvent = RecordEvent & { readonly sequence: number; readonly at: string };

export type RecordEvent =
  /** Without an agent: a reset replaced the whole policy. */
  | { readonly kind: "policy-changed"; readonly version?: number; readonly changed?: WantedRule }
  | ({ readonly kind: "memory-captured" } & PlacedMemory)
  /** Without a memory: a reset forgot all memories of all namespaces. */
  | ({ readonly kind: "memory-forgotten" } & Partial<PlacedMemory> & { readonly cause?: ForgetCause })
  | ({ readonly kind: "memory-superseded"; readonly supersededBy: string } & PlacedMemory)
  | ({ readonly kind: "proposal-waiting" | "proposal-accepted" | "proposal-declined" } & ProposalNames)
  | ({ readonly kind: "receipt-begun" | "receipt-issued" | "receipt-broken-off" } & ReceiptNames)
  | {
      readonly kind: "receipt-anchored";
      readonly answerId: string;
      /** Null for a receipt that this service did not issue: whose it is, is only its own word. */
      readonly agentId: string | null;
      readonly blobId: string;
      readonly receiptId?: string;
      readonly txDigest?: string;
    };

type PlacedMemory = Pick<Memory, "memoryId" | "namespace" | "sourceAgent">;
type ProposalNames = Readonly<Record<"proposalId" | "namespace" | "agentId", string>>;
type ReceiptNames = Readonly<Record<"answerId" | "agentId", string>>;

/** `tombstone` is the digest of one, for the transparency log alone. */
export type NewEvent = RecordEvent & { readonly at: string; readonly tombstone?: string };

/**
 * Reads and removes what is old. An anchored receipt is never old: somebody was told that it can be verified. A receipt
 * that is still begun has no end yet, and is not old either. The hourly counts stay as they are.
 */
export interface RetentionRecords {
  oldReceipts(page: OldPage): Promise<OldReceipts>;
  /** By time. The newest decision of all is never among them, so that no sequence is used twice. */
  oldDecisions(page: { readonly before: string; readonly limit: number }): Promise<readonly RecordedDecision[]>;
  /** Removes these for ever, in one step. Answers how many there were. A receipt that was anchored meanwhile stays. */
  remove(old: { readonly answerIds?: readonly string[]; readonly sequences?: readonly number[] }): Promise<number>;
  /**
   * Removes lists of names that no receipt and no decision refers to any more, a bounded number. Answers how many. `now`
   * is for stores that several processes write to: they remove a list only an hour after they found it unused.
   */
  removeUnusedLists(now: Date): Promise<number>;
}

export interface OldPage {
  /** Complete receipts, or those whose answer was broken off before they were complete. */
  readonly kind: "complete" | "incomplete";
  readonly before: string;
  readonly after?: string;
  readonly scan: number;
}

/** By answer id. The next page begins after the last one that was looked at. */
export type OldReceipts = Page<"receipts", OldReceipt, string>;

export interface OldReceipt {
  readonly answerId: string;
  readonly createdAt: string;
  readonly reason: BreakReason | null;
  /** Names the list of blocked namespaces, when it is kept beside the receipt. */
  readonly blockedDigest: string | null;
  /** The receipt's canonical JSON. */
  readonly body: string;
}
