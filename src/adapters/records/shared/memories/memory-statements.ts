// The statements that change memories. Each change takes a number of the counter, and the head of its namespace moves to it.
// All come after `lockMemories`, and each as if it were alone: what one adds, a later one may remove.

import { leaseStatements } from "#adapters/records/shared/anchoring/leases.ts";
import { adding, addTo } from "#adapters/records/shared/limits.ts";
import { questionStatements } from "#adapters/records/shared/receipts/questions.ts";
import {
  GIVEN_MEMORY,
  type GivenMemory,
  MEMORY_TARGET,
  MEMORY_VALUES,
  TEXT_BYTES,
  toGiven,
} from "#adapters/records/shared/rows.ts";
import type { Statement } from "#adapters/records/shared/sql/database.ts";
import { among, columnsOf, either, forRows, insertRows, listIn } from "#adapters/records/shared/sql/dialect.ts";
import type { Memory, MemoryOnRecord } from "#core/memory.ts";
import type { ForgetCause } from "#core/tombstone.ts";
import type { RecordLimits, Stamp } from "#ports.ts";
import { proposalStatements } from "./proposals.ts";

const LAST = "(SELECT value FROM counters WHERE tenant = $tenant AND name = 'memory')";
const TAKE = "UPDATE counters SET value = value + $1 WHERE tenant = $tenant AND name = 'memory'";
const take = (count: number): Statement => ({ text: TAKE, values: [count] });

/** After it, the fence looks up the memories of every older read set. */
export const countRemoval: Statement = {
  text: "UPDATE counters SET value = value + 1 WHERE tenant = $tenant AND name = 'removal'",
  values: [],
};

export type Placed = Pick<Memory, "memoryId" | "namespace" | "sourceAgent">;

interface Removal extends Placed {
  readonly cause: ForgetCause | "superseded";
  readonly reason?: string | undefined;
  readonly by: string;
  readonly at: string;
}

interface RemovalOfCurrent extends Removal {
  readonly supersededBy?: string;
}

export interface MemoryForgotten extends Removal {
  readonly storeRef: string;
  readonly isCurrent: number | boolean;
  readonly cause: ForgetCause;
}

interface RestoredRemoval extends Removal {
  readonly memory?: MemoryOnRecord;
}

/** Counts the namespaces that these memories are the first of, up to the quota; without limits, any number. */
const textsWith = (parameter?: string) => ({
  ofAll: `
    UPDATE totals SET ${adding("namespaces", "new.count", parameter)}
    FROM (
      SELECT count(DISTINCT value) AS count FROM ${listIn("$1")}
      WHERE coalesce((SELECT memories FROM namespaces WHERE tenant = $tenant AND name = value), 0) = 0
    ) AS new
    WHERE tenant = $tenant AND name = 'namespaces' AND new.count > 0`,
  // Most captures come alone.
  ofOne: `
    UPDATE totals SET ${adding("namespaces", "1", parameter)}
    WHERE tenant = $tenant AND name = 'namespaces'
      AND NOT EXISTS (SELECT 1 FROM namespaces WHERE tenant = $tenant AND name = $1 AND memories > 0)`,
});
const [unlimited, upTo] = [textsWith(), textsWith("$2")];

const countNewNamespaces = (memories: readonly Placed[], limits?: RecordLimits): Statement => {
  const names = memories.map(({ namespace }) => namespace);
  const { ofOne, ofAll } = limits === undefined ? unlimited : upTo;
  const most = limits === undefined ? [] : [limits.namespaces];
  return names.length === 1 ? { text: ofOne, values: [...names, ...most] } : { text: ofAll, values: [names, ...most] };
};

const insert = insertRows<GivenMemory & { place: number }>(
  { ...GIVEN_MEMORY, place: "bigint" },
  `memories (tenant, sequence, ${MEMORY_TARGET})`,
  `$tenant, ${LAST} + :place, ${MEMORY_VALUES}`,
);
const moves = { name: "text", count: "bigint", behind: "bigint" } as const;
const moveHeads = insertRows<Moved>(
  moves,
  "namespaces AS known (tenant, name, memories, head)",
  `$tenant, :name, :count, ${LAST} - :behind`,
  {
    tail: "ON CONFLICT (tenant, name) DO UPDATE SET memories = known.memories + excluded.memories, head = excluded.head",
  },
);
const countSources = insertRows<Moved>(
  moves,
  "source_agents AS known (tenant, name, memories)",
  "$tenant, :name, :count",
  {
    tail: "ON CONFLICT (tenant, name) DO UPDATE SET memories = known.memories + excluded.memories",
  },
);
/** Numbers were taken for these, in this order: moves the heads, and counts them. */
const moved = (memories: readonly Placed[], sign: 1 | -1): Statement[] => [
  ...moveHeads(movedBy(memories, ({ namespace }) => namespace, sign)),
  ...countSources(movedBy(memories, ({ sourceAgent }) => sourceAgent, sign)),
];

const keep = forRows<RemovalOfCurrent>(
  { memoryId: "text", supersededBy: "text", at: "text" } as never,
  (given) => `
    INSERT INTO superseded_memories (tenant, sequence, ${MEMORY_TARGET}, superseded_by, superseded_at)
    SELECT tenant, sequence, ${MEMORY_TARGET}, "supersededBy", at FROM ${given}
    JOIN memories ON tenant = $tenant AND memory_id = "memoryId"`,
);
const record = forRows<RemovalOfCurrent & { place: number }>(
  { memoryId: "text", cause: "text", reason: "text", by: "text", at: "text", place: "bigint" } as never,
  (given) => `
    INSERT INTO forgotten (tenant, sequence, captured, namespace, memory_id, source_agent, cause, reason, removed_by,
      removed_at)
    SELECT tenant, ${LAST} + place, sequence, namespace, memory_id, source_agent, cause, reason, "by", "at"
    FROM ${given} JOIN memories ON tenant = $tenant AND memory_id = "memoryId"`,
);
// Of a superseded one, the text stays on record.
const giveBackText = (table: string) => `
  UPDATE totals SET value = value - (
    SELECT coalesce(sum(${TEXT_BYTES}), 0) FROM ${table} WHERE tenant = $tenant AND ${among("memory_id", "$1")})
  WHERE tenant = $tenant AND name = 'textBytes'`;
const GIVE_BACK_TEXT = giveBackText("memories");
const GIVE_BACK_HISTORY = giveBackText("superseded_memories");
const REMOVE = `DELETE FROM memories WHERE tenant = $tenant AND ${among("memory_id", "$1")}`;
const COUNT_EMPTY_NAMESPACES = `
  UPDATE totals SET value = value - (
    SELECT count(*) FROM namespaces WHERE tenant = $tenant AND ${among("namespaces.name", "$1")} AND memories = 0)
  WHERE tenant = $tenant AND name = 'namespaces'`;
const DROP_EMPTY_SOURCES: Statement = {
  text: "DELETE FROM source_agents WHERE tenant = $tenant AND memories = 0",
  values: [],
};
const DROP_SNAPSHOTS = `DELETE FROM index_snapshots WHERE tenant = $tenant AND ${among("namespace", "$1")}`;

/** Takes current memories out of their table. No statement when there are none. */
function removeCurrent(removals: readonly RemovalOfCurrent[]): Statement[] {
  if (removals.length === 0) return [];
  const ids = removals.map(({ memoryId }) => memoryId);
  const namespaces = [...new Set(removals.map(({ namespace }) => namespace))];
  const forgotten = removals.filter(({ cause }) => cause !== "superseded").map(({ memoryId }) => memoryId);
  return [
    ...keep(removals.filter(({ cause }) => cause === "superseded")),
    ...record(removals.map((removal, i) => ({ ...removal, place: i + 1 }))),
    take(removals.length),
    addTo("memories", -removals.length),
    ...(forgotten.length === 0 ? [] : [{ text: GIVE_BACK_TEXT, values: [forgotten] }]),
    { text: REMOVE, values: [ids] },
    ...moved(removals, -1),
    { text: COUNT_EMPTY_NAMESPACES, values: [namespaces] },
    DROP_EMPTY_SOURCES,
    // A snapshot of the index has the words of the memories.
    { text: DROP_SNAPSHOTS, values: [namespaces] },
    countRemoval,
    // A question may quote the memory that answered it, and a proposal the one that its extractor was shown.
    ...(forgotten.length === 0
      ? []
      : [questionStatements.dropOfMemories(forgotten), proposalStatements.dropOfMemories(forgotten)]),
  ];
}

// The change feed has the removal since the memory became history, and now it becomes a tombstone.
const forgetHistory = forRows<MemoryForgotten>(
  { memoryId: "text", cause: "text", reason: "text", by: "text", at: "text" } as never,
  (given) => `
    UPDATE forgotten SET cause = given.cause, reason = given.reason, removed_by = "by", removed_at = "at"
    FROM ${given} WHERE tenant = $tenant AND memory_id = "memoryId" AND forgotten.cause = 'superseded'`,
);
const REMOVE_HISTORY = `DELETE FROM superseded_memories WHERE tenant = $tenant AND ${among("memory_id", "$1")}`;

const IS_OTHER = "tenant = $tenant AND memory_id = $1 AND pinned <> $2";
const PIN = [
  `UPDATE counters SET value = value + 1 WHERE tenant = $tenant AND name = 'memory'
     AND EXISTS (SELECT 1 FROM memories WHERE ${IS_OTHER})`,
  `INSERT INTO pin_changes (tenant, sequence, captured, namespace, pinned, changed_by, changed_at)
   SELECT tenant, ${LAST}, sequence, namespace, CAST($2 AS ${either("integer", "boolean")}), CAST($3 AS text), CAST($4 AS text)
   FROM memories WHERE ${IS_OTHER}`,
  `UPDATE namespaces SET head = ${LAST}
   WHERE tenant = $tenant AND name = (SELECT namespace FROM memories WHERE ${IS_OTHER})`,
  "UPDATE memories SET pinned = $2 WHERE tenant = $tenant AND memory_id = $1",
] as const;

// Two numbers each: that of the capture, and that of the removal.
const addHistory = insertRows<GivenMemory & { supersededBy: string; at: string; place: number }>(
  { ...GIVEN_MEMORY, supersededBy: "text", at: "text", place: "bigint" },
  `superseded_memories (tenant, sequence, ${MEMORY_TARGET}, superseded_by, superseded_at)`,
  `$tenant, ${LAST} + :place, ${MEMORY_VALUES}, :supersededBy, :at`,
);
const addTombstones = insertRows<Omit<RestoredRemoval, "memory"> & { place: number }>(
  { ...columnsOf("text", "memoryId namespace sourceAgent cause reason by at"), place: "bigint" },
  "forgotten (tenant, sequence, captured, namespace, memory_id, source_agent, cause, reason, removed_by, removed_at)",
  `$tenant, ${LAST} + :place + 1, ${LAST} + :place, :namespace, :memoryId, :sourceAgent, :cause, :reason, :by, :at`,
);

export const memoryStatements = {
  /** Records removals of memories that were never current here, and those that are history. */
  addRemoved(removals: readonly RestoredRemoval[], limits: RecordLimits): Statement[] {
    if (removals.length === 0) return [];
    const placed = removals.map((removal, i) => ({ ...removal, place: 2 * i + 1 }));
    const history = placed.flatMap(({ memory, at, place }) =>
      memory === undefined ? [] : { ...toGiven(memory), supersededBy: memory.supersededBy ?? "", at, place },
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
  add(memories: readonly MemoryOnRecord[], limits?: RecordLimits): Statement[] {
    if (memories.length === 0) return [];
    return [
      countNewNamespaces(memories, limits),
      addTo("memories", memories.length, limits),
      addTo("textBytes", textBytesOf(memories.map(toGiven)), limits),
      ...insert(memories.map((memory, i) => ({ ...toGiven(memory), place: i + 1 }))),
      take(memories.length),
      ...moved(memories, 1),
    ];
  },

  removeCurrent,

  forget(memories: readonly MemoryForgotten[]): Statement[] {
    if (memories.length === 0) return [];
    const history = memories.filter(({ isCurrent }) => !isCurrent);
    const ids = history.map(({ memoryId }) => memoryId);
    return [
      ...removeCurrent(memories.filter(({ isCurrent }) => isCurrent)),
      ...forgetHistory(history),
      ...(ids.length === 0
        ? []
        : [
            { text: GIVE_BACK_HISTORY, values: [ids] },
            { text: REMOVE_HISTORY, values: [ids] },
            countRemoval,
            questionStatements.dropOfMemories(ids),
            proposalStatements.dropOfMemories(ids),
          ]),
      leaseStatements.dropStray([...new Set(memories.map(({ storeRef }) => storeRef))]),
    ];
  },

  /** Leaves a tombstone of every memory, superseded ones included. */
  forgetAll: ({ by, at }: Pick<Stamp, "by" | "at">): Statement[] => [
    {
      text: `
        INSERT INTO forgotten (tenant, sequence, captured, namespace, memory_id, source_agent, cause, removed_by,
          removed_at)
        SELECT tenant, ${LAST} + row_number() OVER (ORDER BY sequence), sequence, namespace, memory_id, source_agent, 'reset',
          CAST($1 AS text), CAST($2 AS text)
        FROM memories WHERE tenant = $tenant`,
      values: [by, at],
    },
    {
      text: `
        UPDATE forgotten SET cause = 'reset', removed_by = $1, removed_at = $2
        WHERE tenant = $tenant AND cause = 'superseded'
          AND memory_id IN (SELECT memory_id FROM superseded_memories WHERE tenant = $tenant)`,
      values: [by, at],
    },
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
    questionStatements.dropAll,
    proposalStatements.dropAll,
    leaseStatements.dropAllStray,
  ],

  /** Changes nothing if it is set already. */
  setPinned: (memoryId: string, pinned: boolean, { by, at }: Pick<Stamp, "by" | "at">): Statement[] => [
    { text: PIN[0], values: [memoryId, pinned] },
    { text: PIN[1], values: [memoryId, pinned, by, at] },
    { text: PIN[2], values: [memoryId, pinned] },
    { text: PIN[3], values: [memoryId, pinned] },
  ],
};

const textBytesOf = (memories: readonly Pick<GivenMemory, "content" | "metadata">[]): number =>
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
