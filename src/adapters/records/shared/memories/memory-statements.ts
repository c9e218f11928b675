// The statements that change memories. Each change takes a number of the counter, and the head of its namespace moves to it.
// All come after `lockMemories`, and each as if it were alone: what one adds, a later one may remove.
import { leaseStatements } from "#adapters/records/shared/anchoring/leases.ts";
import { adding, addTo } from "#adapters/records/shared/limits.ts";
import { questionStatements } from "#adapters/records/shared/receipts/questions.ts";
import * as sql from "#adapters/records/shared/sql.ts";
import type { Memory, MemoryOnRecord } from "#core/memory.ts";
import type { ForgetCause } from "#core/tombstone.ts";
import type { RecordLimits, Stamp } from "#ports.ts";
import { proposalStatements } from "./proposals.ts";

const LAST = "(SELECT value FROM counters WHERE tenant = $tenant AND name = 'memory')";
const take = sql.statement`UPDATE counters SET value = value + $1 WHERE tenant = $tenant AND name = 'memory'`;

/** After it, the fence looks up the memories of every older read set. */
export const countRemoval = sql.statement`
  UPDATE counters SET value = value + 1 WHERE tenant = $tenant AND name = 'removal'`();

type Placed = Pick<Memory, "memoryId" | "namespace" | "sourceAgent">;

interface Removal extends Placed {
  readonly cause: ForgetCause | "superseded";
  readonly reason?: string | undefined;
  readonly by: string;
  readonly at: string;
  /** Of a current one that is superseded. */
  readonly supersededBy?: string | undefined;
  /** Of one that is restored as history. */
  readonly memory?: MemoryOnRecord;
}

export interface MemoryForgotten extends Removal {
  readonly storeRef: string;
  readonly isCurrent: number | boolean;
  readonly cause: ForgetCause;
}

/** Counts the namespaces that these memories are the first of, up to the quota; without limits, any number. */
const countingNew = (parameter?: string) => ({
  ofAll: sql.statement`
    UPDATE totals SET ${adding("namespaces", "new.count", parameter)}
    FROM (
      SELECT count(DISTINCT value) AS count FROM ${sql.listIn("$1")}
      WHERE coalesce((SELECT memories FROM namespaces WHERE tenant = $tenant AND name = value), 0) = 0
    ) AS new
    WHERE tenant = $tenant AND name = 'namespaces' AND new.count > 0`,
  // Most captures come alone.
  ofOne: sql.statement`
    UPDATE totals SET ${adding("namespaces", "1", parameter)}
    WHERE tenant = $tenant AND name = 'namespaces'
      AND NOT EXISTS (SELECT 1 FROM namespaces WHERE tenant = $tenant AND name = $1 AND memories > 0)`,
});
const [unlimited, upTo] = [countingNew(), countingNew("$2")];

const countNewNamespaces = (memories: readonly Placed[], limits?: RecordLimits): sql.Statement => {
  const names = memories.map(({ namespace }) => namespace);
  const { ofOne, ofAll } = limits === undefined ? unlimited : upTo;
  const most = limits === undefined ? [] : [limits.namespaces];
  return names.length === 1 ? ofOne(...names, ...most) : ofAll(names, ...most);
};

const insert = sql.insertRows<sql.GivenMemory & { place: number }>("memories", sql.GIVEN_MEMORY, {
  values: { sequence: `${LAST} + :place` },
  further: "place:bigint",
});
const moveHeads = sql.insertRows<Moved>("namespaces AS known", "name count=memories:bigint", {
  values: { head: `${LAST} - :behind` },
  further: "behind:bigint",
  tail: "ON CONFLICT (tenant, name) DO UPDATE SET memories = known.memories + excluded.memories, head = excluded.head",
});
const countSources = sql.insertRows<Moved>("source_agents AS known", "name count=memories:bigint", {
  tail: "ON CONFLICT (tenant, name) DO UPDATE SET memories = known.memories + excluded.memories",
});
/** Numbers were taken for these, in this order: moves the heads, and counts them. */
const moved = (memories: readonly Placed[], sign: 1 | -1): sql.Statement[] => [
  ...moveHeads(movedBy(memories, ({ namespace }) => namespace, sign)),
  ...countSources(movedBy(memories, ({ sourceAgent }) => sourceAgent, sign)),
];

const TARGET = sql.targets(sql.GIVEN_MEMORY);
const keep = sql.forRows<Removal>(
  "memoryId supersededBy at",
  (given) => `
    INSERT INTO superseded_memories (tenant, sequence, ${TARGET}, superseded_by, superseded_at)
    SELECT tenant, sequence, ${TARGET}, "supersededBy", at FROM ${given}
    JOIN memories ON tenant = $tenant AND memory_id = "memoryId"`,
);
const record = sql.forRows<Removal & { place: number }>(
  "memoryId cause reason by at place:bigint",
  (given) => `
    INSERT INTO forgotten (tenant, sequence, captured, namespace, memory_id, source_agent, cause, reason, removed_by,
      removed_at)
    SELECT tenant, ${LAST} + place, sequence, namespace, memory_id, source_agent, cause, reason, "by", "at"
    FROM ${given} JOIN memories ON tenant = $tenant AND memory_id = "memoryId"`,
);
// Of a superseded one, the text stays on record.
const giveBackText = (table: string) => sql.statement`
  UPDATE totals SET value = value - (
    SELECT coalesce(sum(${sql.TEXT_BYTES}), 0) FROM ${table} WHERE tenant = $tenant AND ${sql.among("memory_id", "$1")})
  WHERE tenant = $tenant AND name = 'textBytes'`;
const GIVE_BACK_TEXT = giveBackText("memories");
const GIVE_BACK_HISTORY = giveBackText("superseded_memories");
const REMOVE = sql.statement`DELETE FROM memories WHERE tenant = $tenant AND ${sql.among("memory_id", "$1")}`;
const COUNT_EMPTY_NAMESPACES = sql.statement`
  UPDATE totals SET value = value - (
    SELECT count(*) FROM namespaces WHERE tenant = $tenant AND ${sql.among("namespaces.name", "$1")} AND memories = 0)
  WHERE tenant = $tenant AND name = 'namespaces'`;
const DROP_EMPTY_SOURCES = sql.statement`DELETE FROM source_agents WHERE tenant = $tenant AND memories = 0`();
const DROP_SNAPSHOTS = sql.statement`DELETE FROM index_snapshots WHERE tenant = $tenant AND ${sql.among("namespace", "$1")}`;

/** A question may quote the memory that answered it, and a proposal the one that its extractor was shown. */
const dropShown = (memoryIds: readonly string[]): sql.Statement[] => [
  questionStatements.dropOfMemories(memoryIds),
  proposalStatements.dropOfMemories(memoryIds),
];

/** Takes current memories out of their table. No statement when there are none. */
function removeCurrent(removals: readonly Removal[]): sql.Statement[] {
  if (removals.length === 0) return [];
  const ids = removals.map(({ memoryId }) => memoryId);
  const namespaces = [...new Set(removals.map(({ namespace }) => namespace))];
  const forgotten = removals.filter(({ cause }) => cause !== "superseded").map(({ memoryId }) => memoryId);
  return [
    ...keep(removals.filter(({ cause }) => cause === "superseded")),
    ...record(removals.map((removal, i) => ({ ...removal, place: i + 1 }))),
    take(removals.length),
    addTo("memories", -removals.length),
    ...(forgotten.length === 0 ? [] : [GIVE_BACK_TEXT(forgotten)]),
    REMOVE(ids),
    ...moved(removals, -1),
    COUNT_EMPTY_NAMESPACES(namespaces),
    DROP_EMPTY_SOURCES,
    // A snapshot of the index has the words of the memories.
    DROP_SNAPSHOTS(namespaces),
    countRemoval,
    ...(forgotten.length === 0 ? [] : dropShown(forgotten)),
  ];
}

// The change feed has the removal since the memory became history, and now it becomes a tombstone.
const forgetHistory = sql.forRows<MemoryForgotten>(
  "memoryId cause reason by at",
  (given) => `
    UPDATE forgotten SET cause = given.cause, reason = given.reason, removed_by = "by", removed_at = "at"
    FROM ${given} WHERE tenant = $tenant AND memory_id = "memoryId" AND forgotten.cause = 'superseded'`,
);
const REMOVE_HISTORY = sql.statement`DELETE FROM superseded_memories WHERE tenant = $tenant AND ${sql.among("memory_id", "$1")}`;

const IS_OTHER = "tenant = $tenant AND memory_id = $1 AND pinned <> $2";
const PIN = sql.statement`
  UPDATE counters SET value = value + 1 WHERE tenant = $tenant AND name = 'memory'
    AND EXISTS (SELECT 1 FROM memories WHERE ${IS_OTHER})`;
const LOG_PIN = sql.statement`
  INSERT INTO pin_changes (tenant, sequence, captured, namespace, pinned, changed_by, changed_at)
  SELECT tenant, ${LAST}, sequence, namespace, CAST($2 AS ${sql.either("integer", "boolean")}), CAST($3 AS text), CAST($4 AS text)
  FROM memories WHERE ${IS_OTHER}`;
const MOVE_PINNED = sql.statement`
  UPDATE namespaces SET head = ${LAST}
  WHERE tenant = $tenant AND name = (SELECT namespace FROM memories WHERE ${IS_OTHER})`;
const SET_PINNED = sql.statement`UPDATE memories SET pinned = $2 WHERE tenant = $tenant AND memory_id = $1`;

// Two numbers each: that of the capture, and that of the removal.
const addHistory = sql.insertRows<sql.GivenMemory & { supersededBy: string; at: string; place: number }>(
  "superseded_memories",
  `${sql.GIVEN_MEMORY} supersededBy at=superseded_at`,
  { values: { sequence: `${LAST} + :place` }, further: "place:bigint" },
);
const addTombstones = sql.insertRows<Omit<Removal, "memory"> & { place: number }>(
  "forgotten",
  "namespace memoryId sourceAgent cause reason by=removed_by at=removed_at",
  { values: { sequence: `${LAST} + :place + 1`, captured: `${LAST} + :place` }, further: "place:bigint" },
);

const TOMBSTONES = sql.statement`
  INSERT INTO forgotten (tenant, sequence, captured, namespace, memory_id, source_agent, cause, removed_by, removed_at)
  SELECT tenant, ${LAST} + row_number() OVER (ORDER BY sequence), sequence, namespace, memory_id, source_agent, 'reset',
    CAST($1 AS text), CAST($2 AS text)
  FROM memories WHERE tenant = $tenant`;
const TOMBSTONES_OF_HISTORY = sql.statement`
  UPDATE forgotten SET cause = 'reset', removed_by = $1, removed_at = $2
  WHERE tenant = $tenant AND cause = 'superseded'
    AND memory_id IN (SELECT memory_id FROM superseded_memories WHERE tenant = $tenant)`;

export const memoryStatements = {
  /** Records removals of memories that were never current here, and those that are history. */
  addRemoved(removals: readonly Removal[], limits: RecordLimits): sql.Statement[] {
    if (removals.length === 0) return [];
    const placed = removals.map((removal, i) => ({ ...removal, place: 2 * i + 1 }));
    const history = placed.flatMap(({ memory, at, place }) =>
      memory === undefined ? [] : { ...sql.toGiven(memory), supersededBy: memory.supersededBy ?? "", at, place },
    );
    return [
      ...(history.length === 0 ? [] : [addTo("textBytes", textBytesOf(history), limits)]),
      ...addHistory(history),
      ...addTombstones(placed),
      take(2 * removals.length),
      ...moveHeads(movedBy(removals, ({ namespace }) => namespace, 0, 2)),
    ];
  },

  /** Records each of these, in this order, whatever facts are on record. Without limits no quota refuses them. */
  add(memories: readonly MemoryOnRecord[], limits?: RecordLimits): sql.Statement[] {
    if (memories.length === 0) return [];
    return [
      countNewNamespaces(memories, limits),
      addTo("memories", memories.length, limits),
      addTo("textBytes", textBytesOf(memories.map(sql.toGiven)), limits),
      ...insert(memories.map((memory, i) => ({ ...sql.toGiven(memory), place: i + 1 }))),
      take(memories.length),
      ...moved(memories, 1),
    ];
  },

  removeCurrent,

  forget(memories: readonly MemoryForgotten[]): sql.Statement[] {
    if (memories.length === 0) return [];
    const history = memories.filter(({ isCurrent }) => !isCurrent);
    const ids = history.map(({ memoryId }) => memoryId);
    return [
      ...removeCurrent(memories.filter(({ isCurrent }) => isCurrent)),
      ...forgetHistory(history),
      ...(ids.length === 0 ? [] : [GIVE_BACK_HISTORY(ids), REMOVE_HISTORY(ids), countRemoval, ...dropShown(ids)]),
      leaseStatements.dropStray([...new Set(memories.map(({ storeRef }) => storeRef))]),
    ];
  },

  /** Leaves a tombstone of every memory, superseded ones included. */
  forgetAll: ({ by, at }: Pick<Stamp, "by" | "at">): sql.Statement[] => [
    TOMBSTONES(by, at),
    TOMBSTONES_OF_HISTORY(by, at),
    ...[
      `UPDATE counters SET value = value + (SELECT count(*) FROM memories WHERE tenant = $tenant)
       WHERE tenant = $tenant AND name = 'memory'`,
      // The index of tombstones by namespace gives the greatest sequence at once.
      `INSERT INTO namespaces (tenant, name, memories, head)
       SELECT $tenant, namespace, 0,
         (SELECT max(sequence) FROM forgotten WHERE tenant = $tenant AND forgotten.namespace = gone.namespace)
       FROM (SELECT DISTINCT namespace FROM memories WHERE tenant = $tenant) AS gone WHERE true
       ON CONFLICT (tenant, name) DO UPDATE SET memories = 0, head = excluded.head`,
      "DELETE FROM memories WHERE tenant = $tenant",
      "DELETE FROM superseded_memories WHERE tenant = $tenant",
      "DELETE FROM index_snapshots WHERE tenant = $tenant",
      "DELETE FROM source_agents WHERE tenant = $tenant",
      "UPDATE totals SET value = 0 WHERE tenant = $tenant AND name IN ('namespaces', 'memories', 'textBytes')",
    ].map((text) => ({ text, values: [] })),
    countRemoval,
    questionStatements.dropAll(),
    proposalStatements.dropAll(),
    leaseStatements.dropAllStray(),
  ],

  /** Those of these that are said to be pinned. */
  pin: (memories: readonly MemoryOnRecord[], stamp: Pick<Stamp, "by" | "at">): sql.Statement[] =>
    memories.flatMap(({ memoryId, pinned }) => (pinned ? memoryStatements.setPinned(memoryId, true, stamp) : [])),

  /** Changes nothing if it is set already. */
  setPinned: (memoryId: string, pinned: boolean, { by, at }: Pick<Stamp, "by" | "at">): sql.Statement[] => [
    PIN(memoryId, pinned),
    LOG_PIN(memoryId, pinned, by, at),
    MOVE_PINNED(memoryId, pinned),
    SET_PINNED(memoryId, pinned),
  ],
};

const textBytesOf = (memories: readonly Pick<sql.GivenMemory, "content" | "metadata">[]): number =>
  memories.reduce((sum, { content = "", metadata = "" }) => sum + Buffer.byteLength(content + metadata), 0);

interface Moved {
  readonly name: string;
  readonly count: number;
  /** How many numbers were taken after the last one of this name. */
  readonly behind: number;
}

/** In the order of names, in which all writers lock the rows. Each memory took so many numbers. */
function movedBy(memories: readonly Placed[], nameOf: (memory: Placed) => string, sign: number, numbers = 1): Moved[] {
  const names = new Map<string, { count: number; place: number }>();
  for (const [place, memory] of memories.entries()) {
    const { count } = names.get(nameOf(memory)) ?? { count: 0 };
    names.set(nameOf(memory), { count: count + sign, place });
  }
  const rows = [...names].map(([name, { count, place }]) => ({
    name,
    count,
    behind: numbers * (memories.length - 1 - place),
  }));
  return rows.sort((a, b) => (a.name < b.name ? -1 : 1));
}
