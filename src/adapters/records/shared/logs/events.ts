// Rows of the event log. What an event says beside its kind and time is kept as JSON.

import type { LeafChange } from "#core/gate/policy.ts";
import type { Memory } from "#core/memory.ts";
import type { Tombstone } from "#core/tombstone.ts";
import type {
  BrokenOff,
  ChangedLeaf,
  IssuedReceipt,
  NewEvent,
  OpenedRecord,
  RecordEvent,
  RecordedEvent,
} from "#ports.ts";

/** How many events one step of pruning looks at. */
export const PRUNED_AT_ONCE = 5_000;

export interface EventRow {
  readonly sequence: number;
  readonly at: string;
  readonly kind: RecordEvent["kind"];
  readonly data: string;
}

export const toEvent = ({ data, ...row }: EventRow): RecordedEvent => ({ ...row, ...JSON.parse(data) });

export function toEventRow({ at, kind, ...data }: NewEvent): Omit<EventRow, "sequence"> {
  return { at, kind, data: JSON.stringify(data) };
}

export const capturedEvent = ({
  memoryId,
  namespace,
  sourceAgent,
  createdAt,
}: Pick<Memory, "memoryId" | "namespace" | "sourceAgent" | "createdAt">): NewEvent => ({
  at: createdAt,
  kind: "memory-captured",
  memoryId,
  namespace,
  sourceAgent,
});

export const forgottenEvent = (
  { memoryId, namespace, cause, forgottenAt: at }: Tombstone,
  sourceAgent: string,
): NewEvent => ({ at, kind: "memory-forgotten", memoryId, namespace, sourceAgent, cause });

export const supersededEvent = (
  { memoryId, namespace, sourceAgent }: Pick<Memory, "memoryId" | "namespace" | "sourceAgent">,
  supersededBy: string,
  at: string,
): NewEvent => ({ at, kind: "memory-superseded", memoryId, namespace, sourceAgent, supersededBy });

export const openedEvent = ({ answerId, agentId, createdAt: at }: OpenedRecord): NewEvent => ({
  at,
  kind: "receipt-opened",
  answerId,
  agentId,
});

export const issuedEvent = ({ answerId, agentId, createdAt: at }: IssuedReceipt): NewEvent => ({
  at,
  kind: "receipt-issued",
  answerId,
  agentId,
});

export const brokenOffEvent = ({ answerId, agentId, at }: BrokenOff): NewEvent => ({
  at,
  kind: "receipt-broken-off",
  answerId,
  agentId,
});

export function changedEvent({ agentId, namespace, to }: LeafChange, version: number, at: string): NewEvent {
  const changed: ChangedLeaf = { agentId, namespace, allowed: to };
  return { at, kind: "policy-changed", version, changed };
}

/**
 * A reset concerns everybody: it forgets all memories and replaces the policy. It is recorded as such whatever there was
 * to forget or to change, so that it tells an agent nothing of namespaces and rows that are not its own.
 */
export const resetEvents = (at: string): NewEvent[] => [
  { at, kind: "memory-forgotten" },
  { at, kind: "policy-changed" },
];
