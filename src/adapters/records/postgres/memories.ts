import { limitReached } from "#adapters/records/shared/limits.ts";
import { capturedEvent, toEventRow } from "#adapters/records/shared/logs/events.ts";
import { namesOfFact } from "#adapters/records/shared/memories/names.ts";
import {
  bySequence,
  type CountRow,
  MEMORY_COLUMNS,
  type MemoryRow,
  type SequencedMemory,
  SOURCE_AGENTS_COUNTED,
  toCounts,
  toMemory,
} from "#adapters/records/shared/rows.ts";
import type { Memory } from "#core/memory.ts";
import type { BlobLease, Decision, MemoryRecords, RecordLimits } from "#ports.ts";
import { type Database, READ_SNAPSHOT, type Statement } from "./connection/database.ts";
import { groupCommit } from "./connection/group-commit.ts";
import { addDecisions } from "./logs/decisions.ts";
import { addEventsOf } from "./logs/events.ts";
import { checkNames, takeNames, takingNames } from "./names.ts";
import { readMemoryPage } from "./pages/memory-pages.ts";
import { putLeasesOfMemories } from "./tables/leases.ts";
import { addMemories, throwIfLimitReached } from "./tables/memories.ts";
import { writePin } from "./tables/pins.ts";

/** How many memories one commit records. The longest ones make a statement of some megabytes. */
const MAX_BATCH = 500;

const NO_ROOM = `
  SELECT FROM totals WHERE name = 'namespaces' AND value >= $2
    AND $1 IS DISTINCT FROM (SELECT namespace FROM memories WHERE namespace >= $1 ORDER BY namespace, sequence LIMIT 1)`;
const FIND = `SELECT ${MEMORY_COLUMNS} FROM memories WHERE memory_id = $1`;
const AT = `
  SELECT sequence, ${MEMORY_COLUMNS} FROM memories WHERE sequence = ANY ($1::bigint[])`;

const COUNTS: readonly Statement[] = [
  "SELECT name, memories AS count FROM namespaces WHERE memories > 0 ORDER BY name",
  `SELECT name, memories AS count FROM source_agents ORDER BY memories DESC, name LIMIT ${SOURCE_AGENTS_COUNTED}`,
  "SELECT count(*) AS count FROM source_agents",
].map((text) => ({ text, values: [] }));

/** The memories on record of these facts, without those of these ids. */
const FIND_EARLIER = `
  SELECT ${MEMORY_COLUMNS} FROM memories WHERE content_digest = ANY ($1) AND memory_id <> ALL ($2) ORDER BY sequence DESC`;

function findEarlier(memories: readonly Memory[]): Statement {
  const [digests, ids] = [memories.map(({ contentDigest }) => contentDigest), memories.map(({ memoryId }) => memoryId)];
  return { text: FIND_EARLIER, values: [digests, ids] };
}

const ADD_CAPTURED = `
  WITH happened AS (
    SELECT at, data FROM json_to_recordset($1::json) AS given (id text, at text, data text)
    WHERE EXISTS (SELECT FROM memories WHERE memory_id = id)
  ),
  ${addEventsOf("happened", "memory-captured")}`;

/** An event for each of them that was recorded, because its fact was not on record. */
function addCapturedEvents(memories: readonly Memory[]): Statement {
  const events = memories.map((memory) => ({ id: memory.memoryId, ...toEventRow(capturedEvent(memory)) }));
  return { text: ADD_CAPTURED, values: [JSON.stringify(events)] };
}

interface Capture {
  readonly memory: Memory;
  readonly lease: BlobLease | undefined;
  readonly decision: Decision | undefined;
}

/** How many captures' names a process remembers. */
const MOST_NAMES = 10_000;

/** `idle` answers when no capture waits any more. */
export function memoryRecords(
  database: Database,
  limits: RecordLimits,
): { readonly records: MemoryRecords; idle(): Promise<void> } {
  const captures = groupCommit<Capture, Memory>({ max: MAX_BATCH, onCommit: database.onCommit }, async (batch) => {
    const memories = batch.map(({ memory }) => memory);
    const rows = await database.transaction([
      ...addMemories(memories, limits, "capture"),
      ...takeNames(memories.flatMap(namesOfFact)),
      ...putLeasesOfMemories(batch.flatMap(({ lease }) => lease ?? [])),
      ...addDecisions(batch.map(({ decision }) => decision)),
      addCapturedEvents(memories),
      findEarlier(memories),
    ]);
    // Of the same fact in one batch, the first memory was recorded. Of those on record before, the first one counts.
    const recorded = new Map(memories.toReversed().map((memory) => [memory.contentDigest, memory]));
    for (const row of rows.at(-1) as MemoryRow[]) recorded.set(row.contentDigest, toMemory(row));
    return ({ memory }) => recorded.get(memory.contentDigest) ?? memory;
  });
  /** Names of captures that were recorded. They spare `checkNames` a read; `add` decides. */
  let inUse = new Set<string>();

  async function add(memory: Memory, lease?: BlobLease, decision?: Decision): Promise<Memory> {
    const recorded = await takingNames(database, namesOfFact(memory), () =>
      captures.write({ memory, lease, decision }),
    );
    if (inUse.size >= MOST_NAMES) inUse = new Set();
    inUse.add(keyOf(memory));
    return recorded;
  }

  const records: MemoryRecords = {
    add: (memory, lease, decision) => add(memory, lease, decision).catch(throwIfLimitReached(limits)),
    async checkNames(given) {
      if (inUse.has(keyOf(given))) return;
      const found = await database.rows({ text: NO_ROOM, values: [given.namespace, limits.namespaces] });
      if (found.length > 0) throw limitReached("namespaces", limits);
      await checkNames(database, namesOfFact(given));
    },
    async find(memoryId) {
      const row = await database.row<MemoryRow>({ text: FIND, values: [memoryId] });
      return row && toMemory(row);
    },
    at: async (sequences) => bySequence(await database.rows<SequencedMemory>({ text: AT, values: [sequences] })),
    page: (query) => readMemoryPage(database, query),
    setPinned: (pin, stamp) => writePin(database, pin, stamp),
    async counts() {
      const counted = await database.transaction(COUNTS, { begin: READ_SNAPSHOT });
      const [byNamespace, bySourceAgent, [total]] = counted as [CountRow[], CountRow[], CountRow[]];
      const sourceAgents = total?.count ?? 0;
      return { byNamespace: toCounts(byNamespace), bySourceAgent: toCounts(bySourceAgent), sourceAgents };
    },
  };
  return { records, idle: captures.idle };
}

const keyOf = ({ namespace, sourceAgent }: Pick<Memory, "namespace" | "sourceAgent">): string =>
  JSON.stringify([namespace, sourceAgent]);
