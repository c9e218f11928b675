import type { DatabaseSync } from "node:sqlite";
import { resetEvents } from "#adapters/records/shared/logs/events.ts";
import { namesOfFact, namesOfRule, withPlaces } from "#adapters/records/shared/memories/names.ts";
import { pinsOf } from "#adapters/records/shared/rows.ts";
import { type CounterTable, counterTable } from "#adapters/records/sqlite/connection/counters.ts";
import { totalTable } from "#adapters/records/sqlite/connection/totals.ts";
import { leaseTable } from "#adapters/records/sqlite/leases.ts";
import { memoryTable } from "#adapters/records/sqlite/memories/memory-table.ts";
import { pinTable } from "#adapters/records/sqlite/memories/pins.ts";
import { removalTable } from "#adapters/records/sqlite/memories/removals.ts";
import { type AccessRule, policyFrom } from "#core/gate/policy.ts";
import type { BlobLease, MemoryOnRecord, RecordLimits, Stamp } from "#ports.ts";
import { decisionTable } from "./decision-table.ts";
import { eventTable } from "./event-table.ts";
import { nameLists } from "./name-lists.ts";
import { nameTable } from "./names.ts";
import { namespaceTable } from "./namespaces.ts";
import { policyTable } from "./policy-table.ts";
import { questionTable } from "./questions.ts";

export type Tables = ReturnType<typeof tablesOf>;

/** The tables that several parts of the store write to. */
export function tablesOf(
  database: DatabaseSync,
  limits: RecordLimits,
  counters: CounterTable = counterTable(database),
) {
  const totals = totalTable(database);
  const namespaces = namespaceTable(database);
  const lists = nameLists(database);
  const decisions = decisionTable(database, lists);
  const events = eventTable(database);
  const names = nameTable(database);
  const leases = leaseTable(database);
  const questions = questionTable(database);
  return {
    counters,
    names,
    namespaces,
    lists,
    decisions,
    events,
    memories: memoryTable(database, counters, namespaces, totals, limits, events),
    pins: pinTable(database, counters, namespaces),
    policy: policyTable(database, counters, totals, names, limits, events),
    removals: removalTable({ database, counters, namespaces, totals, leases, events, questions }),
    leases,
    questions,
  };
}

/** What a reset leaves on record. All of it can be sent to a worker. */
export interface Reset {
  readonly memories: readonly MemoryOnRecord[];
  readonly rules: readonly AccessRule[];
  readonly stamp: Stamp;
  readonly leases: readonly BlobLease[];
}

/** Runs inside a transaction. */
export function applyReset(tables: Tables, { memories, rules, stamp, leases }: Reset): void {
  tables.removals.forgetAll(stamp);
  for (const event of resetEvents(stamp.at)) tables.events.add(event);
  for (const memory of memories) tables.memories.add(memory);
  for (const pin of pinsOf(memories)) tables.pins.set(pin, stamp);
  tables.policy.replace(policyFrom(rules), stamp);
  tables.names.replaceAll(withPlaces([...memories.flatMap(namesOfFact), ...rules.flatMap(namesOfRule)]));
  for (const lease of leases) tables.leases.put(lease);
  tables.decisions.add(stamp.decision);
}
