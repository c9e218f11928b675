// The tree of the transparency log, and what a tenant has in it. Whoever places entries holds the row of the head until the
// commit, so that two replicas never place two entries at one index, and no size has two roots.

import { randomBytes } from "node:crypto";
import { DEPLOYMENT } from "#adapters/records/shared/schema/tenant-tables.ts";
import * as sql from "#adapters/records/shared/sql.ts";
import { runInSlices } from "#async/run-in-slices.ts";
import { createMutex } from "#async/semaphore.ts";
import { type DisclosedEntry, disclosed, type EntryBatch, entriesIn, type RecordedEntry } from "#core/log/entry.ts";
import * as core from "#core/log/integrate.ts";
import type { LogEnd, LogHead, TenantLog, TransparencyLog } from "#ports.ts";
import { deploymentLogStatements, hasKind, subjectOf } from "./log-entries.ts";

const BATCH = "last at inForce entries";
const HEAD = sql.statement<LogHead>`
  SELECT ${sql.columns("size root signedSize note cosignedSize cosignedNote")} FROM log_head`;
/** Each is written in the commit that places it. */
const MOST_BATCHES = 250;
const OF_OTHERS = `NOT (${sql.among("tenant", "$2")})`;
// Those with the first $1 entries, but of these tenants: their texts are not read to find which they are.
const WAITING = sql.statement<core.WaitingBatch & { readonly size: number }>`
  SELECT tenant, size, ${sql.columns(BATCH)} FROM log_batches WHERE ${OF_OTHERS} AND queued <= (
    SELECT max(queued) FROM (
      SELECT queued, sum(size) OVER (ORDER BY queued) - size AS earlier FROM (
        SELECT queued, size FROM log_batches WHERE queued IS NOT NULL AND ${OF_OTHERS}
        ORDER BY queued LIMIT ${MOST_BATCHES}) AS oldest) AS counted
    WHERE earlier < $1)
  ORDER BY queued`;
/** 256 ** 5 entries. */
const LEVELS = [0, 1, 2, 3, 4];
const EDGE = sql.statement<core.StoredTile>`${LEVELS.map(
  (level) => `
    SELECT level, number, hashes FROM log_tiles
    WHERE level = ${level} AND number = (SELECT size FROM log_head) / ${256 ** (level + 1)}`,
).join(" UNION ALL ")}`;
const PUT_TILE = sql.statement`
  INSERT INTO log_tiles (level, number, hashes) VALUES ($1, $2, $3)
  ON CONFLICT (level, number) DO UPDATE SET hashes = excluded.hashes`;
const SET_HEAD = sql.statement`UPDATE log_head SET size = $1, root = $2`;
const BEGIN = sql.statement`
  UPDATE log_head SET origin = $1, signed_size = 0, note = NULL, cosigned_size = 0, cosigned_note = NULL`;
const ADD_NOTE = sql.statement`
  UPDATE log_head SET signed_size = $1, note = $2 WHERE (signed_size < $1 OR note IS NULL) AND size >= $1`;
const ADD_COSIGNED = sql.statement`
  UPDATE log_head SET cosigned_size = $1, cosigned_note = $2 WHERE cosigned_size < $1 AND size >= $1`;
const VERIFIERS = sql.reading(entriesIn)`
  SELECT ${sql.columns(BATCH)} FROM log_batches WHERE tenant = ${DEPLOYMENT} AND ${hasKind("'verifier'")}`;
const TILE = sql.value<Uint8Array>`SELECT hashes FROM log_tiles WHERE level = $1 AND number = $2`;

const LOCK = sql.statement<Head & Readonly<Record<"origin" | "note" | "cosigned", string | null>>>`
  SELECT size, root, origin, note, cosigned_note AS cosigned FROM log_head ${sql.FOR_UPDATE}`;

const placeBatches = sql.updateRows<core.PlacedBatch>(
  "tenant:bigint last:bigint treeIndex:bigint at",
  "log_batches",
  "queued = NULL, tree_index = :treeIndex, at = :at",
  "log_batches.tenant = :tenant AND log_batches.last = :last",
);

const CHAIN = "tenant:bigint number:bigint chain key lastAt";
const extend = sql.insertRows<core.Chain>("log_chains", CHAIN, {
  tail: `ON CONFLICT (tenant) DO UPDATE
    SET number = excluded.number, chain = excluded.chain, last_at = excluded.last_at`,
});
const CHAINS = sql.statement<core.Chain>`SELECT ${sql.columns(CHAIN)} FROM log_chains WHERE ${sql.among("tenant", "$1")} ORDER BY tenant`;

type Head = Pick<LogHead, "size" | "root">;
const isSame = (one?: Head, other?: Head): boolean => one?.size === other?.size && one?.root === other?.root;

export function transparencyLog({ row, rows, snapshot, reserve }: sql.Database): TransparencyLog {
  /** What this process placed last. Another one may have gone on, or the commit may have failed. */
  let last: (Head & { readonly tree: core.GrowingTree }) | undefined;
  /** Tenants that keep no other waiting: what is next of theirs was damaged. Asked for again when nothing else waits. */
  let damaged: ReadonlySet<number> = new Set();
  const inTurn = createMutex();

  // The tree grows before it is locked: answers to come would wait for the lock. If another process has placed entries
  // meanwhile, nothing is written, and the next try reads the tree again.
  async function integrate(most: number): ReturnType<TransparencyLog["integrate"]> {
    const [[head], waiting] = await snapshot([HEAD(), WAITING(most, [...damaged])]);
    if (waiting.length === 0) {
      const left = damaged;
      damaged = new Set();
      return { placed: 0, mayGoOn: false, damaged: left };
    }
    const readChains = CHAINS([...new Set(waiting.map(({ tenant }) => tenant))]);
    const chains = await rows(readChains);
    const tree = isSame(last, head) ? last?.tree : undefined;
    const edge = tree === undefined ? await rows(EDGE()) : [];
    // Until the commit the tree has entries that are not on record.
    last = undefined;
    const newKey = () => randomBytes(32).toString("hex");
    const grown = await runInSlices(core.integrate({ size: head?.size ?? 0, edge, chains, tree }, waiting, newKey));
    const { size, root, tiles, placed } = grown;
    return reserve.readThenWrite([LOCK(), readChains], ([[locked], lockedChains]) => {
      const isFirst = isSame(head, locked) && JSON.stringify(chains) === JSON.stringify(lockedChains);
      if (!isFirst) return { statements: [], outcome: { placed: 0, mayGoOn: true, damaged } };
      const isFound = grown.damaged.size > 0;
      damaged = new Set([...damaged, ...grown.damaged]);
      if (placed.length === 0) return { statements: [], outcome: { placed: 0, mayGoOn: isFound, damaged } };
      last = grown;
      const statements: sql.Statement[] = [
        ...tiles.map(({ level, number, hashes }) => PUT_TILE(level, number, hashes)),
        ...extend(grown.chains),
        ...placeBatches(placed),
        SET_HEAD(size, root),
      ];
      const found = waiting.reduce((sum, batch) => sum + batch.size, 0);
      const mayGoOn = isFound || found >= most || waiting.length === MOST_BATCHES;
      return { statements, outcome: { placed: size - (head?.size ?? 0), mayGoOn, damaged } };
    });
  }

  return {
    integrate: (most) => inTurn("integrate", () => integrate(most)),
    begin: (wanted, standard) =>
      reserve.readThenWrite([LOCK()], ([[head]]) => {
        const { origin: known = null, note = null, cosigned = null } = head ?? {};
        const origin = wanted ?? known ?? standard;
        const last = { checkpoint: note ?? "", ...(cosigned !== null && { cosigned }) };
        const restored = deploymentLogStatements.add([{ kind: "restored", details: last }]);
        const begun = BEGIN(origin);
        const statements = known === origin ? [] : known === null ? [begun] : [begun, ...restored];
        return { statements, outcome: origin };
      }),
    nameVerifier: (sha256) =>
      // Behind the lock: of replicas that start together, one finds none.
      reserve.readThenWrite([LOCK(), VERIFIERS()], ([, named]) => {
        const isNamed = named.flat().some(({ details }) => details?.sha256 === sha256);
        const naming = isNamed ? [] : deploymentLogStatements.add([{ kind: "verifier", details: { sha256 } }]);
        return { statements: naming, outcome: undefined };
      }),
    head: async () => (await row(HEAD())) as LogHead,
    addNote: (size, note) => reserve.write(ADD_NOTE(size, note)),
    addCosignedNote: (size, note) => reserve.write(ADD_COSIGNED(size, note)),
    tile: ({ level, number }) => row(TILE(level, number)),
  };
}

const KEY = sql.value<string>`SELECT key FROM log_chains WHERE tenant = $tenant`;
type BatchInTree = EntryBatch & { readonly treeIndex: number };
const inTree = (batch: BatchInTree) => entriesIn(batch).map((entry, i) => ({ entry, index: batch.treeIndex + i }));
const batchesInTree = (where: string) => sql.reading(inTree)`
  SELECT ${sql.columns(`${BATCH} treeIndex`)} FROM log_batches WHERE tenant = $tenant AND tree_index IS NOT NULL AND ${where}`;
// Up to the batch that has $2, or the next one there is.
const PAGE = batchesInTree(`last > $1 AND last <= coalesce(
  (SELECT min(last) FROM log_batches WHERE tenant = $tenant AND last >= $2), ${sql.UNLIMITED}) ORDER BY last`);
const OF_SUBJECTS = batchesInTree(
  `${sql.within(
    "last",
    `SELECT last FROM log_subjects WHERE tenant = $tenant AND ${sql.among("about", "$1")}`,
  )} ORDER BY last`,
);
const RESETS = sql.value<string>`
  SELECT removed_at FROM forgotten WHERE tenant = $tenant AND ${sql.among("memory_id", "$1")} AND cause = 'reset'`;
const MOST_OF_KIND = 64;
const OF_KIND = batchesInTree(`${hasKind("$1")} ORDER BY last DESC LIMIT ${MOST_OF_KIND}`);
const END = sql.statement<LogEnd>`
  SELECT size, coalesce(number, 0) AS number, coalesce(chain, '${"0".repeat(64)}') AS chain
  FROM log_head LEFT JOIN log_chains ON tenant = $tenant`;

export function tenantLog({ row, rows, snapshot }: sql.Database): TenantLog {
  /** The wanted entries of these batches, in the order of their numbers. */
  async function read(
    statement: ReturnType<typeof PAGE>,
    isWanted: (entry: RecordedEntry) => boolean,
    most = sql.UNLIMITED,
  ): Promise<DisclosedEntry[]> {
    const [[found = ""], batches] = await snapshot([KEY(), statement]);
    const wanted = batches
      .flat()
      .filter(({ entry }) => isWanted(entry))
      .toSorted((a, b) => a.index - b.index);
    const key = Buffer.from(found, "hex");
    return wanted.slice(0, most).map(({ entry, index }) => disclosed(key, entry, index));
  }

  const about = (subjects: ReadonlySet<string>) =>
    read(OF_SUBJECTS([...subjects]), (entry) => subjects.has(subjectOf(entry) ?? ""));

  return {
    entries: ({ after, limit }) => read(PAGE(after, after + limit), ({ number }) => number > after, limit),
    ofAnswer: (answerId) => about(new Set([answerId])),
    ofForgotten: async (memoryIds) =>
      memoryIds.length === 0 ? [] : about(new Set([...memoryIds, ...(await rows(RESETS(memoryIds)))])),
    ofKind: async (wanted) => (await read(OF_KIND(wanted), ({ kind }) => kind === wanted)).slice(-MOST_OF_KIND),
    end: async () => (await row(END())) as LogEnd,
  };
}
