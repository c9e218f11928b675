// What happened, for listeners: each event is recorded in the transaction of its change, and kept for a day. Events hold
// ids and names, and no text.

import type { ForgetCause } from "#core/tombstone.ts";

export interface EventRecords {
  /** Where the log stands. */
  position(): Promise<EventPosition>;
  /** The events after this sequence, in the order of commits. */
  after(page: { readonly after: number; readonly limit: number }): Promise<readonly RecordedEvent[]>;
  /** Forgets the oldest events that are older than this time, a bounded number of them. Answers how many. */
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
  | { readonly kind: "policy-changed"; readonly version?: number; readonly changed?: ChangedLeaf }
  | {
      readonly kind: "memory-captured";
      readonly memoryId: string;
      readonly namespace: string;
      readonly sourceAgent: string;
    }
  /** Without a memory: a reset forgot all memories of all namespaces. */
  | ({ readonly kind: "memory-forgotten" } & Partial<RemovedMemory> & { readonly cause?: ForgetCause })
  | ({ readonly kind: "memory-superseded"; readonly supersededBy: string } & RemovedMemory)
  | {
      readonly kind: "receipt-opened" | "receipt-issued" | "receipt-broken-off";
      readonly answerId: string;
      readonly agentId: string;
    }
  | {
      readonly kind: "receipt-anchored";
      readonly answerId: string;
      /** Null for a receipt that this service did not issue: whose it is, is only its own word. */
      readonly agentId: string | null;
      readonly blobId: string;
      /** On the ledger. */
      readonly receiptId?: string;
      readonly txDigest?: string;
    };

interface RemovedMemory {
  readonly memoryId: string;
  readonly namespace: string;
  readonly sourceAgent: string;
}

export interface ChangedLeaf {
  readonly agentId: string;
  readonly namespace: string;
  /** Null: the leaf was removed. */
  readonly allowed: boolean | null;
}

/** An event that is to be recorded with its change. */
export type NewEvent = RecordEvent & { readonly at: string };
