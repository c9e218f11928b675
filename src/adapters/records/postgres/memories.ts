import { limitReached } from "#adapters/records/shared/limits.ts";
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
import type { BlobLease, MemoryRecords, RecordLimits } from "#ports.ts";
import { type Database, READ_SNAPSHOT, type Statement } from "./connection/database.ts";
import { groupCommit } from "./connection/group-commit.ts";
import { readMemoryPage } from "./pages/memory-pages.ts";
import { putLeases } from "./tables/leases.ts";
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

interface Capture {
  readonly memory: Memory;
  readonly lease: BlobLease | undefined;
}

/** `idle` answers when no capture waits any more. */
export function memoryRecords(
  database: Database,
  limits: RecordLimits,
): { readonly records: MemoryRecords; idle(): Promise<void> } {
  const captures = groupCommit<Capture>(MAX_BATCH, (batch) => {
    const leases = batch.flatMap(({ lease }) => lease ?? []);
    return database.write(
      ...addMemories(
        batch.map(({ memory }) => memory),
        limits,
      ),
      ...putLeases(leases),
    );
  });

  const records: MemoryRecords = {
    add: (memory, lease) => captures.write({ memory, lease }).catch(throwIfLimitReached(limits)),
    async checkRoomFor(namespace) {
      const found = await database.rows({ text: NO_ROOM, values: [namespace, limits.namespaces] });
      if (found.length > 0) throw limitReached("namespaces", limits);
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
