import { IS_CURRENT } from "#adapters/records/postgres/connection/clock.ts";
import { lockMemoryCounter } from "#adapters/records/postgres/connection/counters.ts";
import { type Database, READ_SNAPSHOT, type Statement } from "#adapters/records/postgres/connection/database.ts";
import { addDecisions } from "#adapters/records/postgres/logs/decisions.ts";
import { addEvents } from "#adapters/records/postgres/logs/events.ts";
import { checkNames } from "#adapters/records/postgres/names.ts";
import type { FencedPolicy } from "#adapters/records/postgres/policy/policy.ts";
import { dropMostQuestions } from "#adapters/records/postgres/tables/questions.ts";
import { forgottenEvent } from "#adapters/records/shared/logs/events.ts";
import { namesOfFact } from "#adapters/records/shared/memories/names.ts";
import {
  bySequence,
  type CountRow,
  MEMORY_COLUMNS,
  type MemoryRow,
  REMOVABLE,
  type SequencedMemory,
  SOURCE_AGENTS_COUNTED,
  SUPERSEDED_COLUMNS,
  toCounts,
  toMemory,
} from "#adapters/records/shared/rows.ts";
import type { Memory } from "#core/memory.ts";
import type { Tombstone } from "#core/tombstone.ts";
import type { Forgotten, MemoryOnRecord, MemoryRecords, RecordLimits, RemovableMemory, Stamp } from "#ports.ts";
import { captures } from "./captures.ts";
import { SERVICE } from "./correction-plan.ts";
import { corrections } from "./corrections.ts";
import { readMemoryPage } from "./memory-pages.ts";
import { requireRoomFor } from "./memory-table.ts";
import { memoryTraces } from "./memory-traces.ts";
import { writePin } from "./pins.ts";
import { forgetMemories, type MemoryToForget, type RemovedMemory, readExpired, readToForget } from "./removals.ts";

const FIND_ALL = `
  SELECT ${MEMORY_COLUMNS}, NULL AS "supersededBy" FROM memories WHERE memory_id = ANY ($1) AND ${IS_CURRENT}
  UNION ALL
  SELECT ${SUPERSEDED_COLUMNS} FROM superseded_memories
  WHERE memory_id = ANY ($1) AND ${IS_CURRENT}`;
const FIND_BY_KEY = `
  SELECT ${MEMORY_COLUMNS} FROM memories
  WHERE namespace = $1 AND source_agent = $2 AND fact_key = $3 AND ${IS_CURRENT}`;
const REMOVABLE_BY_ID = `
  SELECT ${REMOVABLE} FROM memories WHERE memory_id = $1
  UNION ALL SELECT ${REMOVABLE} FROM superseded_memories WHERE memory_id = $1`;
const REMOVABLE_BY_KEY = `
  SELECT ${REMOVABLE} FROM memories WHERE namespace = $1 AND source_agent = $2 AND fact_key = $3`;
const AT = `
  SELECT sequence, ${MEMORY_COLUMNS} FROM memories WHERE sequence = ANY ($1::bigint[]) AND ${IS_CURRENT}`;
const CURRENT = `SELECT memory_id AS "memoryId" FROM memories WHERE memory_id = ANY ($1) AND ${IS_CURRENT}`;

const COUNTS: readonly Statement[] = [
  "SELECT name, memories AS count FROM namespaces WHERE memories > 0 ORDER BY name",
  `SELECT name, memories AS count FROM source_agents ORDER BY memories DESC, name LIMIT ${SOURCE_AGENTS_COUNTED}`,
  "SELECT count(*) AS count FROM source_agents",
].map((text) => ({ text, values: [] }));

/** How many captures' names a process remembers. */
const MOST_NAMES = 10_000;

/** `idle` answers when no capture waits any more. */
export function memoryRecords(
  database: Database,
  limits: RecordLimits,
  { alone }: Pick<FencedPolicy, "alone">,
): { readonly records: MemoryRecords; idle(): Promise<void> } {
  const correcting = corrections(database, limits, alone);
  const capturing = captures(database, limits, correcting.correct);
  /** Names of captures that were recorded. They spare `checkNames` a read; `add` decides. */
  let inUse = new Set<string>();

  const findAll = async (memoryIds: readonly string[]) => {
    const rows = await database.rows<FoundRow>({ text: FIND_ALL, values: [memoryIds] });
    return new Map(rows.map((row) => [row.memoryId, toFound(row)]));
  };

  const records: MemoryRecords = {
    async add(memory, lease, decision) {
      const recorded = await capturing.add(memory, lease, decision);
      if (inUse.size >= MOST_NAMES) inUse = new Set();
      inUse.add(keyOf(memory));
      return recorded;
    },
    async checkNames(given) {
      if (inUse.has(keyOf(given))) return;
      await requireRoomFor(database, given.namespace, limits);
      await checkNames(database, namesOfFact(given));
    },
    find: async (memoryId) => (await findAll([memoryId])).get(memoryId),
    findAll,
    async findByKey({ namespace, sourceAgent, key }) {
      const row = await database.row<MemoryRow>({ text: FIND_BY_KEY, values: [namespace, sourceAgent, key] });
      return row && toMemory(row);
    },
    findRemovable: (wanted) =>
      database.row<RemovableMemory>(
        "key" in wanted
          ? { text: REMOVABLE_BY_KEY, values: [wanted.namespace, wanted.sourceAgent, wanted.key] }
          : { text: REMOVABLE_BY_ID, values: [wanted.memoryId] },
      ),
    at: async (sequences) => bySequence(await database.rows<SequencedMemory>({ text: AT, values: [sequences] })),
    page: (query) => readMemoryPage(database, query),
    setPinned: (pin, stamp) => writePin(database, pin, stamp),
    async counts() {
      const counted = await database.transaction(COUNTS, { begin: READ_SNAPSHOT });
      const [byNamespace, bySourceAgent, [total]] = counted as [CountRow[], CountRow[], CountRow[]];
      const sourceAgents = total?.count ?? 0;
      return { byNamespace: toCounts(byNamespace), bySourceAgent: toCounts(bySourceAgent), sourceAgents };
    },
    async forget({ memoryIds, ...why }, stamp) {
      await dropMostQuestions(database, memoryIds);
      return alone([lockMemoryCounter, readToForget(memoryIds)], (rows) => {
        const found = rows.at(-1) as MemoryToForget[];
        const outcome = found.map((memory) => toForgotten(memory, why, stamp));
        const decided = found.length === 0 ? [] : addDecisions([stamp.decision]);
        const statements = [...forgetMemories(found, why, stamp), ...decided, ...forgottenEvents(found, outcome)];
        return { statements, outcome, isChange: found.length > 0 };
      });
    },
    // Not behind the fence: no answer passes it with a memory whose time is over.
    async forgetExpired(limit, decision) {
      const expired = await database.rows<RemovedMemory>(readExpired(limit));
      if (expired.length === 0) return 0;
      await dropMostQuestions(
        database,
        expired.map(({ memoryId }) => memoryId),
      );
      return database.readThenWrite([lockMemoryCounter, readExpired(limit)], (rows) => {
        const found = rows.at(-1) as (RemovedMemory & { readonly now: string })[];
        const stamp = { by: SERVICE, at: found[0]?.now ?? "" };
        const why = { cause: "expired" } as const;
        const gone = found.map((memory) => toForgotten({ ...memory, anchoredReceipts: 0 }, why, stamp));
        const details = { ...decision?.details, memories: found.length };
        const decided = found.length === 0 || !decision ? [] : addDecisions([{ ...decision, at: stamp.at, details }]);
        const statements = [...forgetMemories(found, why, stamp), ...decided, ...forgottenEvents(found, gone)];
        return { statements, outcome: found.length };
      });
    },
    async current(memoryIds) {
      const rows = await database.rows<{ memoryId: string }>({ text: CURRENT, values: [memoryIds] });
      return new Set(rows.map(({ memoryId }) => memoryId));
    },
    ...memoryTraces(database),
  };
  return {
    records,
    async idle() {
      await capturing.idle();
      await correcting.idle();
    },
  };
}

type FoundRow = Omit<MemoryRow, "supersededBy"> & { readonly supersededBy: string | null };

function toFound({ supersededBy, ...row }: FoundRow): MemoryOnRecord {
  return toMemory(supersededBy === null ? row : { ...row, supersededBy });
}

type Why = Pick<Tombstone, "cause" | "reason">;

function toForgotten(memory: MemoryToForget, { cause, reason }: Why, { by, at }: Stamp): Forgotten {
  const { memoryId, namespace, storeRef, anchoredReceipts } = memory;
  const said = reason === undefined ? { cause } : { cause, reason };
  return {
    tombstone: { memoryId, namespace, ...said, forgottenBy: by, forgottenAt: at },
    storeRef,
    anchoredReceipts,
  };
}

const forgottenEvents = (memories: readonly RemovedMemory[], forgotten: readonly Forgotten[]): Statement[] =>
  addEvents(forgotten.map(({ tombstone }, i) => forgottenEvent(tombstone, memories[i]?.sourceAgent ?? "")));

const keyOf = ({ namespace, sourceAgent }: Pick<Memory, "namespace" | "sourceAgent">): string =>
  JSON.stringify([namespace, sourceAgent]);
