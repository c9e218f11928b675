// Taking records away, and recording those of another database. Memories and tombstones take sequence numbers as if they had
// been captured, and removed, here.
import { policyFrom } from "#core/gate/policy.ts";
import type { NewEntry } from "#core/log/entry.ts";
import type { MemoryOnRecord } from "#core/memory.ts";
import type { ForgetCause } from "#core/tombstone.ts";
import type * as ports from "#ports.ts";
import { leaseStatements } from "./anchoring/leases.ts";
import { throwIfLimitReached } from "./limits.ts";
import { decisionStatements, toRow } from "./logs/decisions.ts";
import { capturedEvent, eventStatements } from "./logs/events.ts";
import { deploymentLogStatements, logStatements, signingKeyEntry } from "./logs/log-entries.ts";
import type { NameLists } from "./logs/name-lists.ts";
import { memoryStatements } from "./memories/memory-statements.ts";
import { nameStatements, namesOfFact, namesOfRule, takingNames } from "./memories/names.ts";
import type { Fence } from "./policy/fence.ts";
import { policyChanges } from "./policy/policy.ts";
import { policyStatements } from "./policy/policy-statements.ts";
import { receiptStatements } from "./receipts/receipts.ts";
import * as sql from "./sql.ts";

const REMOVALS = sql.statement<RemovalRow>`
  SELECT ${sql.columns("sequence memoryId namespace sourceAgent cause reason forgottenBy=removed_by forgottenAt=removed_at")}
  FROM forgotten WHERE tenant = $tenant AND sequence > $1 ORDER BY sequence LIMIT $2`;
const SIGNING_KEYS = sql.value<string>`SELECT key_id FROM signing_keys`;
const KEY = "keyId publicKey createdAt endedAt";
const addKey = sql.insertRow("signing_keys", KEY, { isShared: true, tail: "ON CONFLICT DO NOTHING" });
const keepKey = sql.insertRow("imported_keys", KEY, { tail: "ON CONFLICT DO NOTHING" });
const ofIds = `tenant = $tenant AND ${sql.among("memory_id", "$1")}`;
const toSuperseding = ({ memoryId, ...superseding }: ports.Superseding & { readonly memoryId: string }) =>
  [memoryId, superseding] as const;
const SUPERSEDINGS = sql.reading(toSuperseding)`
  SELECT ${sql.columns("memoryId by=removed_by at=removed_at")} FROM forgotten WHERE ${ofIds} AND cause = 'superseded'`;

interface Parts {
  readonly limits: ports.RecordLimits;
  readonly lists: NameLists;
  readonly fence: Fence;
}

export function transferRecords(database: sql.Database, { limits, lists, fence }: Parts): ports.TransferRecords {
  const { rows, write, readThenWrite } = database;
  const { changed } = policyStatements;
  const change = policyChanges(limits);
  return {
    tombstones: async (query) => toTombstonePage(await rows(REMOVALS(query.after ?? 0, query.limit + 1)), query),
    supersededAt: async (memoryIds) => new Map(await rows(SUPERSEDINGS(memoryIds))),
    ...restoredMemories(database, limits),
    restoreList: (list) => lists.keep([list]),
    ...restoredLogs(database, limits),
    restoreKeys(keys, whose) {
      if (whose === "tenant") return write(...keys.map(keepKey));
      // What the service names as its keys is in its log.
      return readThenWrite([SIGNING_KEYS()], ([known]) => {
        const missing = keys.filter(({ keyId }) => !known.includes(keyId));
        const ended = missing.map(({ publicKey }) => signingKeyEntry(publicKey, "ended"));
        return { statements: [...missing.map(addKey), ...deploymentLogStatements.add(ended)], outcome: undefined };
      });
    },
    async replacePolicy(rules, stamp) {
      database.requireRoom();
      const taken = rules.flatMap(namesOfRule);
      const { reads, decide } = change(
        {
          changed: changed(policyFrom(rules)),
          after: () => nameStatements.useAnyway(taken),
          events: (changes) => (changes.length > 0 ? [{ at: stamp.at, kind: "policy-changed" }] : []),
        },
        stamp,
      );
      return takingNames(database, taken, () => fence.change(reads, decide), { allowConfusable: true });
    },
  };
}

type MemoryParts = Pick<ports.TransferRecords, "knownMemories" | "restoreMemories" | "restoreTombstones">;

const KNOWN = sql.value<string>`
  ${sql.inBoth((table) => `SELECT memory_id FROM ${table} WHERE ${ofIds}`)}
  UNION ALL SELECT memory_id FROM forgotten WHERE ${ofIds}`;
const KEYS = sql.statement<sql.Named>`SELECT named.* FROM ${sql.memoriesNamedIn("$1")}`;

function restoredMemories(database: sql.Database, limits: ports.RecordLimits): MemoryParts {
  const { rows, readThenWrite } = database;
  function statementsFor(missing: readonly ports.RestoredMemory[], stamp: ports.Stamp): sql.Statement[] {
    const history = missing.filter(({ memory }) => memory.supersededBy !== undefined);
    const current = missing.flatMap(({ memory }) => (memory.supersededBy === undefined ? memory : []));
    return [
      ...memoryStatements.addRemoved(
        history.map(({ memory, superseding }) => toRemoved(memory, superseding ?? stamp)),
        limits,
      ),
      ...memoryStatements.add(current, limits),
      ...memoryStatements.pin(current, stamp),
      ...nameStatements.useAnyway(missing.flatMap(({ memory }) => namesOfFact(memory))),
      ...leaseStatements.putOfMemories(missing.flatMap(({ lease }) => lease ?? [])),
      MARK_MEMORIES(missing.map(({ memory }) => memory.memoryId)),
      ...eventStatements.add(current.map((memory) => capturedEvent({ ...memory, createdAt: stamp.at }))),
    ];
  }

  return {
    knownMemories: async (memoryIds) => new Set(await rows(KNOWN(memoryIds))),

    restoreMemories(restored, stamp) {
      const all = restored.map(({ memory }) => memory);
      const ids = all.map(({ memoryId }) => memoryId);
      const reads = [sql.LOCK_MEMORIES, KNOWN(ids), KEYS(JSON.stringify(sql.namedOf(all)))] as const;
      const record = () =>
        readThenWrite(reads, ([, known, keys]) => {
          const missing = toRestore(restored, new Set(known), new Set(keys.map(nameOf)));
          return { statements: statementsFor(missing, stamp), outcome: missing.length };
        });
      return takingNames(database, all.flatMap(namesOfFact), record, { allowConfusable: true }).catch(
        throwIfLimitReached(database, limits),
      );
    },

    restoreTombstones(tombstones) {
      return readThenWrite([sql.LOCK_MEMORIES, KNOWN(tombstones.map(({ memoryId }) => memoryId))], ([, found]) => {
        const known = new Set(found);
        // A memory that was recorded again under its id may have several. They come in the order of their forgetting.
        const newest = new Map(tombstones.map((each) => [each.memoryId, each]));
        const missing = [...newest.values()].filter(({ memoryId }) => !known.has(memoryId));
        const removed = missing.map(({ forgottenBy: by, forgottenAt: at, ...rest }) => ({ ...rest, by, at }));
        const mark = MARK_MEMORIES(missing.map(({ memoryId }) => memoryId));
        return { statements: [...memoryStatements.addRemoved(removed, limits), mark], outcome: missing.length };
      });
    },
  };
}

const nameOf = ({ namespace, sourceAgent, key }: Pick<MemoryOnRecord, keyof sql.Named>): string =>
  JSON.stringify([namespace, sourceAgent, key]);

const toRemoved = (memory: MemoryOnRecord, { by, at }: ports.Superseding) => {
  return { ...memory, cause: "superseded" as const, by, at, memory };
};

/** Those that are not on record, and whose key names no other memory. */
function toRestore(restored: readonly ports.RestoredMemory[], known: ReadonlySet<string>, keys: Set<string>) {
  return restored.filter(({ memory }) => {
    if (known.has(memory.memoryId)) return false;
    if (memory.key === undefined || memory.supersededBy !== undefined) return true;
    const isFree = !keys.has(nameOf(memory));
    keys.add(nameOf(memory));
    return isFree;
  });
}

/** Answers are counted in parts, one for each process that serves. */
const SHARD = 0;

const ofAnswers = `tenant = $tenant AND ${sql.among("answer_id", "$1")}`;
const COMPLETE = sql.value<string>`SELECT answer_id FROM receipts WHERE ${ofAnswers}`;
const BEGUN = sql.entry<string, string | null>`
  SELECT answer_id, reason FROM begun_receipts WHERE ${ofAnswers} ${sql.FOR_UPDATE}`;
const marking = (table: string, column: string) => sql.statement`
  INSERT INTO ${table} (tenant, ${column}) SELECT $tenant, value FROM ${sql.listIn("$1")} WHERE true
  ON CONFLICT DO NOTHING`;
const MARK = marking("imported_receipts", "answer_id");
const MARK_MEMORIES = marking("imported_memories", "memory_id");

/** Receipts and decisions that another service recorded. */
function restoredLogs(
  database: sql.Database,
  limits: ports.RecordLimits,
): Pick<ports.TransferRecords, "restoreReceipts" | "restoreDecisions"> {
  const { readThenWrite } = database;

  /** So that an auditor can tell them from those that were issued here: these are in the log of another service. */
  const importedEntries = (missing: readonly ports.RestoredReceipt[]): NewEntry[] =>
    missing.flatMap(({ answerId, counts }) =>
      counts === undefined
        ? []
        : [{ kind: "imported", about: answerId, details: { signature: counts.signatureDigest } }],
    );

  function statementsFor(missing: readonly ports.RestoredReceipt[], isCounted: (answerId: string) => boolean) {
    const all = missing.map(({ blockedDigest, counts, seed = null, ...receipt }) => ({
      used: 0,
      verified: 0,
      intact: 0,
      ...receipt,
      ...counts,
      // The column may be empty.
      seed: seed as string,
      // Another service gave its memories.
      usedNamespaces: [],
      isComplete: counts !== undefined,
      ...(blockedDigest !== undefined && { blockedList: { digest: blockedDigest, names: [] } }),
    }));
    const broken = missing.flatMap(({ answerId, createdAt, reason }) =>
      reason === undefined ? [] : { answerId, createdAt, reason },
    );
    const [complete, begun] = [all.filter(({ isComplete }) => isComplete), all.filter(({ isComplete }) => !isComplete)];
    const uncounted = broken.filter(({ answerId }) => !isCounted(answerId));
    return [
      ...receiptStatements.begin(begun, limits),
      ...receiptStatements.add(complete, { shard: SHARD, limits }),
      ...receiptStatements.breakOff(broken),
      ...receiptStatements.countBrokenOff(uncounted, SHARD),
      MARK(missing.map(({ answerId }) => answerId)),
      ...logStatements.add(importedEntries(missing)),
    ];
  }

  return {
    /** A complete receipt takes the place of one that is begun here, as at the end of an answer. */
    restoreReceipts(restored) {
      const ids = restored.map(({ answerId }) => answerId);
      return readThenWrite([COMPLETE(ids), BEGUN(ids)], ([known, found]) => {
        const complete = new Set(known);
        const begun = new Map(found);
        const missing = restored.filter(
          ({ answerId, counts }) => !complete.has(answerId) && (counts !== undefined || !begun.has(answerId)),
        );
        // One that was broken off here is counted as such.
        const isCounted = (answerId: string) => ![undefined, null, "abandoned"].includes(begun.get(answerId));
        return { statements: missing.length === 0 ? [] : statementsFor(missing, isCounted), outcome: missing.length };
      }).catch(throwIfLimitReached(database, limits));
    },
    /** Equal decisions are told apart by their number. */
    restoreDecisions(restored) {
      const given = restored.map(({ copy: _, ...decision }) => toRow(decision));
      return readThenWrite([decisionStatements.countEqual(JSON.stringify(given))], ([known]) => {
        const missing = given.filter((_, i) => (restored[i]?.copy ?? 0) >= (known[i] ?? 0));
        return { statements: decisionStatements.addRows(missing), outcome: missing.length };
      });
    },
  };
}

/** A removal. One by superseding leaves no tombstone. */
type RemovalRow = Omit<ports.ExportedTombstone, "cause" | "reason"> & {
  readonly sequence: number;
  readonly cause: ForgetCause | "superseded";
  readonly reason: string | null;
};

/** `rows` are those after the position, and one more than the limit if there are more. */
function toTombstonePage(rows: readonly RemovalRow[], query: ports.TombstoneQuery): ports.TombstonePage {
  const { page, more } = sql.cutPage(rows, query.limit, ({ sequence }) => Number(sequence));
  const namespaces = query.namespaces && new Set(query.namespaces);
  const tombstones = page.flatMap(({ sequence: _, cause, ...row }): ports.ExportedTombstone[] => {
    if (cause === "superseded" || namespaces?.has(row.namespace) === false) return [];
    if (query.sourceAgent !== undefined && query.sourceAgent !== row.sourceAgent) return [];
    return [sql.present({ ...row, cause })];
  });
  return { tombstones, ...more };
}
