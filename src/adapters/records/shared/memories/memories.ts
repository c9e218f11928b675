import { decisionStatements } from "#adapters/records/shared/logs/decisions.ts";
import { eventStatements, forgottenEvent } from "#adapters/records/shared/logs/events.ts";
import { CHANGES_A_TURN, type Fence } from "#adapters/records/shared/policy/fence.ts";
import { questionStatements } from "#adapters/records/shared/receipts/questions.ts";
import * as stored from "#adapters/records/shared/rows.ts";
import * as sql from "#adapters/records/shared/sql.ts";
import type { Memory } from "#core/memory.ts";
import type * as ports from "#ports.ts";
import { SERVICE } from "./captures.ts";
import { memoryPages } from "./memory-pages.ts";
import { type MemoryForgotten, memoryStatements } from "./memory-statements.ts";
import { anchoredReceiptsOf, memoryUses } from "./memory-uses.ts";
import { checkNames, namesOfFact } from "./names.ts";
import { requireRoomFor } from "./namespaces.ts";

const SOURCE_AGENTS_COUNTED = 1_000;
const MOST_NAMES = 10_000;

const OF_KEY = "tenant = $tenant AND namespace = $1 AND source_agent = $2 AND fact_key = $3";
const REMOVABLE_BY_ID = sql.statement<ports.RemovableMemory>`${stored.inBoth(
  (table) => `SELECT ${stored.REMOVABLE} FROM ${table} WHERE tenant = $tenant AND memory_id = $1`,
)}`;
const REMOVABLE_BY_KEY = sql.statement<ports.RemovableMemory>`SELECT ${stored.REMOVABLE} FROM memories WHERE ${OF_KEY}`;
const BY_NAMESPACE = sql.entry<string, number>`
  SELECT name, memories FROM namespaces WHERE tenant = $tenant AND memories > 0 ORDER BY name`();
const BY_SOURCE_AGENT = sql.entry<string, number>`
  SELECT name, memories FROM source_agents WHERE tenant = $tenant
  ORDER BY memories DESC, name LIMIT ${SOURCE_AGENTS_COUNTED}`();
const SOURCE_AGENTS = sql.value<number>`SELECT count(*) FROM source_agents WHERE tenant = $tenant`();

interface Options extends Pick<ports.MemoryRecords, "add" | "at"> {
  readonly limits: ports.RecordLimits;
  readonly fence: Fence;
  readonly onForgotten: () => void;
}

const isOneOfIds = `tenant = $tenant AND ${sql.among("memory_id", "$1")}`;
const FIND_ALL = sql.reading(stored.toMemory)`
  SELECT ${stored.MEMORY_COLUMNS}, NULL AS "supersededBy" FROM memories WHERE ${isOneOfIds} AND ${sql.IS_CURRENT}
  UNION ALL SELECT ${stored.SUPERSEDED_COLUMNS} FROM superseded_memories WHERE ${isOneOfIds} AND ${sql.IS_CURRENT}`;
const FIND_BY_KEY = sql.reading(stored.toMemory)`
  SELECT ${stored.MEMORY_COLUMNS} FROM memories WHERE ${OF_KEY} AND ${sql.IS_CURRENT}`;
const CURRENT = sql.value<string>`SELECT memory_id FROM memories WHERE ${isOneOfIds} AND ${sql.IS_CURRENT}`;

export function memoryRecords(
  database: sql.Database,
  { add, at, limits, fence, onForgotten }: Options,
): ports.MemoryRecords {
  const { rows, row, snapshot } = database;
  /** Names of captures that were recorded. They spare `checkNames` a read; `add` decides. */
  let inUse = new Set<string>();

  return {
    async add(memory, lease, decision, accepted) {
      const recorded = await add(memory, lease, decision, accepted);
      if (inUse.size >= MOST_NAMES) inUse = new Set();
      inUse.add(keyOf(memory));
      return recorded;
    },
    async checkNames(given) {
      if (inUse.has(keyOf(given))) return;
      await requireRoomFor(database, given.namespace, limits);
      await checkNames(database, namesOfFact(given));
    },
    find: (memoryId) => row(FIND_ALL([memoryId])),
    findAll: async (memoryIds) => new Map((await rows(FIND_ALL(memoryIds))).map((each) => [each.memoryId, each])),
    findByKey: ({ namespace, sourceAgent, key }) => row(FIND_BY_KEY(namespace, sourceAgent, key)),
    findRemovable: (wanted) =>
      row(
        "key" in wanted
          ? REMOVABLE_BY_KEY(wanted.namespace, wanted.sourceAgent, wanted.key)
          : REMOVABLE_BY_ID(wanted.memoryId),
      ),
    at,
    page: memoryPages(database),
    setPinned: pins(database),
    async counts() {
      const [namespaces, agents, [sourceAgents = 0]] = await snapshot([BY_NAMESPACE, BY_SOURCE_AGENT, SOURCE_AGENTS]);
      return { byNamespace: new Map(namespaces), bySourceAgent: new Map(agents), sourceAgents };
    },
    ...forgets(database, fence, onForgotten),
    current: async (memoryIds) => new Set(await rows(CURRENT(memoryIds))),
    ...memoryUses(database),
  };
}

const withSequence = (row: stored.SequencedMemory) => [row.sequence, stored.toMemory(row)] as const;
const AT = sql.reading(withSequence)`
  SELECT sequence, ${stored.MEMORY_COLUMNS} FROM memories
  WHERE tenant = $tenant AND ${sql.among("sequence", "$1")} AND ${sql.IS_CURRENT}`;

export const memoriesAt =
  ({ rows }: sql.Database): ports.MemoryRecords["at"] =>
  async (sequences) =>
    new Map(await rows(AT(sequences)));

const keyOf = ({ namespace, sourceAgent }: Pick<Memory, "namespace" | "sourceAgent">): string =>
  JSON.stringify([namespace, sourceAgent]);

const FIND_PINNED = sql.statement<PinnedRow>`
  SELECT ${stored.MEMORY_COLUMNS}, (
    SELECT count(*) FROM memories AS held
    WHERE held.tenant = $tenant AND held.namespace = memories.namespace AND held.pinned) AS count
  FROM memories WHERE tenant = $tenant AND memory_id = $1 AND ${sql.IS_CURRENT}`;

function pins({ readThenWrite }: sql.Database): ports.MemoryRecords["setPinned"] {
  return (pin, stamp) => {
    const { memoryId, pinned } = pin;
    return readThenWrite([sql.LOCK_MEMORIES, FIND_PINNED(memoryId)], ([, found]) => {
      const outcome = outcomeOf(pin, found);
      const statements = [
        ...memoryStatements.setPinned(memoryId, pinned, stamp),
        ...decisionStatements.add([stamp.decision]),
      ];
      return { statements: outcome.kind === "set" ? statements : [], outcome };
    });
  };
}

/** With the number of pins in its namespace. */
type PinnedRow = stored.MemoryRow & { readonly count: number };

function outcomeOf({ pinned, limit }: ports.Pin, [row]: readonly PinnedRow[]): ports.PinOutcome {
  if (row === undefined) return { kind: "not-found" };
  const isFull = pinned && !row.pinned && row.count >= limit;
  return isFull ? { kind: "full" } : { kind: "set", memory: stored.toMemory({ ...row, pinned }) };
}

export type MemoryToForget = ports.RemovableMemory &
  Pick<MemoryForgotten, "isCurrent"> & { readonly anchoredReceipts: number };

const removed = (isCurrent: boolean) => `${stored.REMOVABLE}, ${isCurrent} AS "isCurrent"`;

const toForgetIn = (table: string, isCurrent: boolean) =>
  `SELECT ${removed(isCurrent)} FROM ${table} WHERE ${isOneOfIds}`;
export const readToForget = sql.statement<MemoryToForget>`
  SELECT found.*, ${anchoredReceiptsOf('found."memoryId"')} AS "anchoredReceipts" FROM (${stored.inBoth(toForgetIn)}) AS found`;

export function toForgotten(memory: MemoryForgotten & Pick<MemoryToForget, "anchoredReceipts">): ports.Forgotten {
  const { memoryId, namespace, storeRef, cause, reason, by, at, anchoredReceipts } = memory;
  const said = reason === undefined ? { cause } : { cause, reason };
  const tombstone = { memoryId, namespace, ...said, forgottenBy: by, forgottenAt: at };
  return { tombstone, storeRef, anchoredReceipts };
}

interface Forget extends ports.Forgetting {
  readonly stamp: ports.Stamp;
}

const expiredIn = (table: string, isCurrent: boolean) => `
  SELECT * FROM (
    SELECT ${removed(isCurrent)} FROM ${table} WHERE tenant = $tenant AND expires_at <= ${sql.NOW}
    ORDER BY expires_at LIMIT $1) AS expired_${table}`;
const EXPIRED = sql.statement<MemoryToForget & { readonly now: string }>`
  SELECT expired.*, ${sql.NOW} AS now FROM (${stored.inBoth(expiredIn)}) AS expired LIMIT $1`;

function forgets(
  database: sql.Database,
  fence: Fence,
  onForgotten: () => void,
): Pick<ports.MemoryRecords, "forget" | "countToForget" | "forgetExpired"> {
  const { rows, reserve } = database;

  function forgetting(
    gone: readonly MemoryForgotten[],
    decided: readonly (ports.Decision | undefined)[],
  ): sql.Statement[] {
    const happened = gone.map((memory) =>
      forgottenEvent(toForgotten({ ...memory, anchoredReceipts: 0 }).tombstone, memory.sourceAgent),
    );
    return [...memoryStatements.forget(gone), ...decisionStatements.add(decided), ...eventStatements.add(happened)];
  }

  // Of forgets that name the same memory, the first has it.
  const forget = database.inTurns<Forget, readonly ports.Forgotten[]>(
    { max: CHANGES_A_TURN, weightOf: ({ memoryIds }) => memoryIds.length, callerOf: ({ stamp }) => stamp.by },
    async (batch) => {
      const asked = [...new Set(batch.flatMap(({ memoryIds }) => memoryIds))];
      await questionStatements.dropMost(database, asked);
      const forgotten = await fence.removal([sql.LOCK_MEMORIES, readToForget(asked)], ([, found]) => {
        const left = new Map(found.map((memory) => [memory.memoryId, memory]));
        const taken = batch.map((each) => ({ each, gone: takeFrom(left, each) }));
        const all = taken.flatMap(({ gone }) => gone);
        const decided = taken.map(({ each, gone }) => (gone.length > 0 ? each.stamp.decision : undefined));
        return {
          statements: forgetting(all, decided),
          outcome: new Map(taken.map(({ each, gone }) => [each, gone.map(toForgotten)])),
          isChange: all.length > 0,
        };
      });
      if (forgotten.size > 0) onForgotten();
      return (each) => forgotten.get(each) ?? [];
    },
  );

  return {
    forget: (forgetting, stamp) => forget({ ...forgetting, stamp }),
    async countToForget(memoryIds) {
      const found = await rows(readToForget(memoryIds));
      return {
        memories: found.length,
        anchoredReceipts: found.reduce((sum, { anchoredReceipts }) => sum + anchoredReceipts, 0),
      };
    },
    // No answer passes the fence with a memory whose time is over. So nothing but those that passed before has to be waited
    // for, and what is removed is not removed behind the fence.
    async forgetExpired(limit, decision) {
      const read = EXPIRED(limit);
      const found = await rows(read);
      if (found.length === 0) return 0;
      const memoryIds = new Set(found.map(({ memoryId }) => memoryId));
      await fence.removal([], () => ({ statements: [], outcome: undefined, isChange: false }));
      await questionStatements.dropMost(database, [...memoryIds]);
      const count = await reserve.readThenWrite([sql.LOCK_MEMORIES, read], ([, all]) => {
        const expired = all.filter(({ memoryId }) => memoryIds.has(memoryId));
        const at = expired[0]?.now ?? "";
        const gone = expired.map((memory) => ({ ...memory, cause: "expired" as const, by: SERVICE, at }));
        const decided = decision && { ...decision, at, details: { ...decision.details, memories: expired.length } };
        const statements = expired.length === 0 ? [] : forgetting(gone, [decided]);
        return { statements, outcome: expired.length };
      });
      if (count > 0) onForgotten();
      return count;
    },
  };
}

/** Those that are still to be had, each with what the forget says of it. */
function takeFrom(left: Map<string, MemoryToForget>, { memoryIds, cause, reason, stamp: { by, at } }: Forget) {
  return memoryIds.flatMap((memoryId) => {
    const memory = left.get(memoryId);
    left.delete(memoryId);
    return memory === undefined ? [] : { ...memory, cause, reason, by, at };
  });
}
