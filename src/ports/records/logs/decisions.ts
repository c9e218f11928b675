// The decision log: who was given or refused what, under which policy. Append-only, and without any text.
import type { ActivityKind } from "#core/activity-kind.ts";
import type { RoleName } from "#core/identity/role.ts";
import type { NameList } from "#core/name-list.ts";
import type { ForgetCause } from "#core/tombstone.ts";
import type { PageOf } from "#ports/records/paging.ts";

export interface DecisionRecords {
  /**
   * For a decision without a change of its own. The row of a change is recorded with the change: see `Stamp`,
   * `MemoryRecords.add`, `ReceiptRecords.add` and `AnchorRecords.add`.
   */
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
  /**
   * The namespaces that existed, divided for the agent at that moment; left out where the gate was not asked. The store
   * keeps each list once, by its digest, and an empty one not at all.
   */
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

/** What was done, where the route does not say it. Ids, names and numbers, and no text. */
export interface DecisionDetails {
  /** Of a change of the policy: whether the gate was opened. */
  readonly allowed?: boolean;
  /** Of a forgetting. */
  readonly cause?: ForgetCause;
  readonly memories?: number;
  /** Of an anchor: its blob, and what is on the ledger. */
  readonly blobId?: string;
  readonly receiptId?: string;
  readonly txDigest?: string;
}

export type Outcome =
  /** An answer, or memories of a recall. */
  | "answered"
  /** Memories were listed or read. */
  | "given"
  | "captured"
  /** The policy, a pin, a key, or all records by a reset. */
  | "changed"
  | "anchored"
  /** The caller may not do that. */
  | "refused"
  /** Something else went wrong. What had left by then is in a row of its own: `broken-off`. */
  | "failed"
  /** An answer was begun, so that a prompt or a part of the answer may have left, and did not reach its end. */
  | "broken-off";

/** A decision on record. Its lists are read with `ReceiptRecords.listedNames`. */
export interface RecordedDecision extends Omit<Decision, "allowed" | "blocked"> {
  readonly sequence: number;
  readonly allowed?: ListRef;
  readonly blocked?: ListRef;
}

/** The digest is null for an empty list. */
export interface ListRef {
  readonly digest: string | null;
  readonly count: number;
}

/** Which decisions a page may hold. A field that is left out lets all pass. */
export interface DecisionFilter {
  readonly agentId?: string;
  /** A thousand decisions of one id are looked at. */
  readonly requestId?: string;
  readonly outcome?: Outcome;
  readonly kind?: ActivityKind;
  /** What the decision is about, or a namespace that it held back. */
  readonly namespace?: string;
  /** Inclusive. */
  readonly from?: string;
  /** Exclusive. */
  readonly to?: string;
}

export interface DecisionPage {
  readonly decisions: readonly RecordedDecision[];
  /** The sequence before which the next page begins; absent on the last one. */
  readonly next?: number;
}
