import { notCurrent } from "#adapters/records/shared/limits.ts";
import { namesOfFact } from "#adapters/records/shared/memories/names.ts";
import {
  MEMORY_COLUMNS,
  type MemoryRow,
  REMOVABLE,
  SUPERSEDED_COLUMNS,
  toMemory,
} from "#adapters/records/shared/rows.ts";
import type { Connection } from "#adapters/records/sqlite/connection/connection.ts";
import type { Tables } from "#adapters/records/sqlite/tables/tables.ts";
import type { BlobLease, Decision, MemoryOnRecord, MemoryRecords, RemovableMemory } from "#ports.ts";
import { dropMostQuestions } from "./drop-most-questions.ts";
import { memoryPages } from "./memory-pages.ts";
import { IS_CURRENT } from "./memory-table.ts";
import { memoryTraces } from "./memory-traces.ts";

interface Options {
  /** Runs a change alone behind the fence. */
  exclusively<T>(change: () => Promise<T>): Promise<T>;
  readonly now: () => Date;
}

/** Returned by a capture that would make another memory history, and does not run behind the fence. */
const NEEDS_FENCE = Symbol("needs the fence");

export function memoryRecords(
  { database, read, inSnapshot, write, writeFromReserve, truncateLog }: Connection,
  { memories: table, removals, pins, namespaces, names, leases, decisions, questions }: Tables,
  { exclusively, now: clock }: Options,
): MemoryRecords {
  const findAt = database.prepare(
    `SELECT sequence, ${MEMORY_COLUMNS} FROM json_each(:sequences) AS wanted JOIN memories ON sequence = wanted.value
     WHERE ${IS_CURRENT}`,
  );
  // Every chat reads a dozen memories. As arrays they take a third less time than as objects with named columns.
  findAt.setReturnArrays(true);
  const byIds = database.prepare(
    `SELECT ${MEMORY_COLUMNS}, NULL AS supersededBy FROM memories
     WHERE memory_id IN (SELECT value FROM json_each(:ids)) AND ${IS_CURRENT}
     UNION ALL
     SELECT ${SUPERSEDED_COLUMNS} FROM superseded_memories
     WHERE memory_id IN (SELECT value FROM json_each(:ids)) AND ${IS_CURRENT}`,
  );
  const currentIds = database.prepare(
    `SELECT memory_id AS memoryId FROM memories WHERE memory_id IN (SELECT value FROM json_each(:ids)) AND ${IS_CURRENT}`,
  );
  const removable = database.prepare(
    `SELECT ${REMOVABLE} FROM memories WHERE memory_id = :memoryId
     UNION ALL SELECT ${REMOVABLE} FROM superseded_memories WHERE memory_id = :memoryId`,
  );
  const readPage = memoryPages(database);
  const traces = memoryTraces(database);
  const now = () => clock().toISOString();

  function findAll(memoryIds: readonly string[]): Map<string, MemoryOnRecord> {
    const rows = byIds.all({ ids: JSON.stringify(memoryIds), now: now() }) as unknown as FoundRow[];
    return new Map(rows.map((row) => [row.memoryId, toMemory(withoutNull(row))]));
  }

  /** In a transaction. */
  function record(memory: MemoryOnRecord, isFenced: boolean): MemoryOnRecord | typeof NEEDS_FENCE {
    const at = now();
    const { key, namespace, sourceAgent } = memory;
    const named = memory.supersedes === undefined ? undefined : table.findCurrent(memory.supersedes, at);
    if (memory.supersedes !== undefined && named?.namespace !== namespace) throw notCurrent();
    const known = table.findFact(memory, at);
    const keyed = key === undefined ? undefined : table.findByKey({ namespace, sourceAgent, key });
    const hasExpired = keyed?.expiresAt !== undefined && keyed.expiresAt <= at;
    const replaced = [named, hasExpired ? undefined : keyed].filter(
      (each, i, all) => each !== undefined && each.memoryId !== known?.memoryId && all.indexOf(each) === i,
    ) as MemoryOnRecord[];
    if (replaced.length > 0 && !isFenced) return NEEDS_FENCE;
    const recorded = known ?? { ...memory, ...(replaced[0] && { supersedes: replaced[0].memoryId }) };
    const when = { by: sourceAgent, at };
    if (known === undefined) names.use(namesOfFact(memory));
    if (hasExpired) removals.forget([keyed.memoryId], { cause: "expired" }, { by: SERVICE, at });
    for (const { memoryId } of replaced) removals.supersede(memoryId, recorded.memoryId, when);
    if (known === undefined) table.add(recorded);
    else if (replaced[0] !== undefined) table.setSupersedes(known.memoryId, replaced[0].memoryId);
    if (known !== undefined && memory.expiresAt !== undefined) table.setExpiry(known.memoryId, memory.expiresAt);
    return known === undefined ? recorded : (findAll([known.memoryId]).get(known.memoryId) ?? known);
  }

  const capture = (
    memory: MemoryOnRecord,
    lease: BlobLease | undefined,
    decision: Decision | undefined,
    isFenced: boolean,
  ) =>
    write(() => {
      const recorded = record(memory, isFenced);
      if (recorded === NEEDS_FENCE) return recorded;
      const isKnown = recorded.memoryId !== memory.memoryId;
      // A repeat renews the lease, unless its blob is in another store than that of the memory on record.
      if (lease !== undefined && (!isKnown || recorded.storeRef === lease.blobId)) leases.put(lease);
      // The fact was on record, so the memory that the caller proposed is none.
      decisions.add(isKnown ? decision && { ...decision, memoryId: undefined } : decision);
      return recorded;
    });

  return {
    async add(memory, lease, decision) {
      const recorded = await capture(memory, lease, decision, false);
      if (recorded !== NEEDS_FENCE) return recorded;
      return (await exclusively(() => capture(memory, lease, decision, true))) as MemoryOnRecord;
    },
    checkNames: (given) =>
      read(() => {
        table.checkRoomFor(given.namespace);
        names.check(namesOfFact(given));
      }),
    find: (memoryId) => read(() => findAll([memoryId]).get(memoryId)),
    findAll: (memoryIds) => read(() => findAll(memoryIds)),
    findByKey: (named) =>
      read(() => {
        const found = table.findByKey(named);
        return found?.expiresAt !== undefined && found.expiresAt <= now() ? undefined : found;
      }),
    findRemovable: (wanted) =>
      read(() =>
        "key" in wanted
          ? table.findByKey(wanted)
          : (removable.get({ memoryId: wanted.memoryId }) as RemovableMemory | undefined),
      ),
    at: (sequences) =>
      read(() => {
        const rows = findAt.all({ sequences: JSON.stringify(sequences), now: now() });
        return new Map((rows as unknown as MemoryArray[]).map(toEntry));
      }),
    page: (query) => read(() => inSnapshot(() => readPage({ ...query, now: now() }))),
    setPinned: (pin, stamp) =>
      write(() => {
        const outcome = pins.set(pin, stamp, now());
        if (outcome.kind === "set") decisions.add(stamp.decision);
        return outcome;
      }),
    counts: () => read(() => inSnapshot(namespaces.counts)),
    async forget({ memoryIds, cause, reason }, stamp) {
      await dropMostQuestions({ writeFromReserve }, { questions }, memoryIds);
      const forgotten = await exclusively(() =>
        // There is always room to forget.
        writeFromReserve(() => {
          const all = removals.forget(memoryIds, { cause, reason }, stamp);
          if (all.length > 0) decisions.add(stamp.decision);
          return all;
        }),
      );
      if (forgotten.length > 0) truncateLog();
      return forgotten;
    },
    async forgetExpired(limit, decision) {
      const expired = await read(() => removals.expired(limit, now()));
      if (expired.length === 0) return 0;
      await dropMostQuestions({ writeFromReserve }, { questions }, expired);
      const count = await writeFromReserve(() => {
        const at = now();
        const memories = removals.forgetExpired(limit, { by: SERVICE, at });
        if (memories > 0 && decision) decisions.add({ ...decision, at, details: { ...decision.details, memories } });
        return memories;
      });
      if (count > 0) truncateLog();
      return count;
    },
    current: (memoryIds) =>
      read(() => {
        const rows = currentIds.all({ ids: JSON.stringify(memoryIds), now: now() });
        return new Set(rows.map(({ memoryId }) => String(memoryId)));
      }),
    tombstone: (memoryId) => read(() => traces.tombstone(memoryId)),
    uses: (memoryId, page) => read(() => traces.uses(memoryId, page)),
  };
}

/** Who forgets what has expired. */
const SERVICE = "service";

type FoundRow = Omit<MemoryRow, "supersededBy"> & { readonly supersededBy: string | null };

function withoutNull({ supersededBy, ...row }: FoundRow): MemoryRow {
  return supersededBy === null ? row : { ...row, supersededBy };
}

type Text = string | null;
/** A sequence and the columns of a memory, in the order of MEMORY_COLUMNS. */
type MemoryArray = [
  number,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  number,
  Text,
  Text,
  Text,
  Text,
  Text,
  string,
];

function toEntry(row: MemoryArray): [number, MemoryOnRecord] {
  const [sequence, memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest, pinned] = row;
  const [key, expiresAt, supersedes, sealKeyId, wrappedKey] = row.slice(9, 14) as Text[];
  const memory = { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest };
  const isPlain = pinned === 0 && key === null && expiresAt === null && supersedes === null && sealKeyId === null;
  if (isPlain) return [sequence, memory];
  const optional = { key: key ?? null, expiresAt: expiresAt ?? null, supersedes: supersedes ?? null };
  const seal = { sealKeyId: sealKeyId ?? null, wrappedKey: wrappedKey ?? null, factHash: row[14] };
  return [sequence, toMemory({ ...memory, pinned, ...optional, ...seal })];
}
