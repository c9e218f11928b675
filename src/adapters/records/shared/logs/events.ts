// The event log. What an event says beside its kind and time is kept as JSON. It is recorded in the transaction of its
// change, last. With PostgreSQL the row of the counter stays locked until the commit, so a reader that has seen a
// sequence has seen all before it; and since all take this lock last, none waits in a circle. SQLite's own sequences
// will do.

import * as sql from "#adapters/records/shared/sql.ts";
import type { RuleChange } from "#core/gate/policy.ts";
import type { NewEntry } from "#core/log/entry.ts";
import type { Memory } from "#core/memory.ts";
import { type Tombstone, tombstoneDigest } from "#core/tombstone.ts";
import type * as ports from "#ports.ts";
import { entriesOf, logStatements } from "./log-entries.ts";

const PRUNED_AT_ONCE = 5_000;

interface EventRow extends Pick<ports.RecordedEvent, "sequence" | "at" | "kind"> {
  readonly data: string;
}

const toEvent = ({ data, ...row }: EventRow): ports.RecordedEvent => ({ ...row, ...JSON.parse(data) });

function toEventRow({ at, kind, tombstone: _, ...data }: ports.NewEvent): Omit<EventRow, "sequence"> {
  return { at, kind, data: JSON.stringify(data) };
}

const FIELDS = "at kind data";
const ADD = sql.either(
  `INSERT INTO events (tenant, sequence, at, kind, data)
   SELECT $tenant, (SELECT coalesce(max(sequence), 0) FROM events WHERE tenant = $tenant) + place, at, kind, data
   FROM ${sql.tableIn("$2", FIELDS)}`,
  `WITH taken AS (
     UPDATE counters SET value = value + $1::bigint WHERE tenant = $tenant AND name = 'event' RETURNING value - $1::bigint AS start)
   INSERT INTO events (tenant, sequence, at, kind, data)
   SELECT $tenant, start + place, at, kind, data FROM taken, ${sql.tableIn("$2", FIELDS)}`,
);

export const eventStatements = {
  /** No statement when there are none. The transparency log has `entries`, and those that follow from the events. */
  add(events: readonly ports.NewEvent[], entries: readonly NewEntry[] = []): sql.Statement[] {
    const rows = events.map(toEventRow);
    const logged = logStatements.add([...entries, ...events.flatMap(entriesOf)]);
    if (rows.length === 0) return logged;
    return [...logged, { text: ADD, values: [rows.length, JSON.stringify(rows)] }];
  },
};

const HEAD = sql.either(
  "SELECT coalesce(max(sequence), 0) AS head FROM events WHERE tenant = $tenant",
  "SELECT value AS head FROM counters WHERE tenant = $tenant AND name = 'event'",
);
const POSITION = sql.statement<ports.EventPosition>`
  SELECT head, coalesce((SELECT min(sequence) - 1 FROM events WHERE tenant = $tenant), head) AS floor FROM (${HEAD}) AS last`;
const AFTER = sql.reading(toEvent)`
  SELECT sequence, at, kind, data FROM events WHERE tenant = $tenant AND sequence > $1 ORDER BY sequence LIMIT $2`;
// Only the oldest ones, up to the first that is not old: what is left then has no gap. The newest stays, so that no sequence
// is used twice.
const PRUNE = sql.statement`
  DELETE FROM events WHERE tenant = $tenant AND sequence < (
    SELECT coalesce(min(sequence) FILTER (WHERE at >= $1), max(sequence))
    FROM (SELECT sequence, at FROM events WHERE tenant = $tenant ORDER BY sequence LIMIT ${PRUNED_AT_ONCE}) AS oldest)
  RETURNING sequence`;

export function eventRecords({ rows, row, reserve }: sql.Database): ports.EventRecords {
  return {
    position: async () => (await row(POSITION())) as ports.EventPosition,
    after: ({ after, limit }) => rows(AFTER(after, limit)),
    prune: async (before) => (await reserve.change(PRUNE(before))).length,
  };
}

export function capturedEvent(
  memory: Pick<Memory, "memoryId" | "namespace" | "sourceAgent" | "createdAt">,
): ports.NewEvent {
  const { memoryId, namespace, sourceAgent, createdAt: at } = memory;
  return { at, kind: "memory-captured", memoryId, namespace, sourceAgent };
}

export function forgottenEvent(tombstone: Tombstone, sourceAgent: string): ports.NewEvent {
  const { memoryId, namespace, cause, forgottenAt: at } = tombstone;
  const removed = { memoryId, namespace, sourceAgent, cause };
  return { at, kind: "memory-forgotten", ...removed, tombstone: tombstoneDigest(tombstone) };
}

export const supersededEvent = (
  { memoryId, namespace, sourceAgent }: Pick<Memory, "memoryId" | "namespace" | "sourceAgent">,
  supersededBy: string,
  at: string,
): ports.NewEvent => ({ at, kind: "memory-superseded", memoryId, namespace, sourceAgent, supersededBy });

const receiptEvent =
  (kind: "receipt-begun" | "receipt-issued") =>
  ({ answerId, agentId, createdAt: at }: ports.BegunRecord): ports.NewEvent => ({ at, kind, answerId, agentId });
export const begunEvent = receiptEvent("receipt-begun");
export const issuedEvent = receiptEvent("receipt-issued");

export const brokenOffEvent = ({ answerId, agentId, at }: ports.BrokenOff): ports.NewEvent => {
  return { at, kind: "receipt-broken-off", answerId, agentId };
};

export function changedEvent({ agentId, namespace, to }: RuleChange, version: number, at: string): ports.NewEvent {
  return { at, kind: "policy-changed", version, changed: { agentId, namespace, allowed: to } };
}

/** A reset is recorded whatever there was to forget or to change: an agent learns nothing of others' rows. */
export const resetEvents = ({ by, at }: ports.Stamp): ports.NewEvent[] => [
  { at, kind: "memory-forgotten", tombstone: tombstoneDigest({ cause: "reset", forgottenAt: at, forgottenBy: by }) },
  { at, kind: "policy-changed" },
];
