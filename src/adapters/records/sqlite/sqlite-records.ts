// Records in one SQLite file, for one process. A write answers when its commit is on disk.
import { DatabaseSync } from "node:sqlite";
import { memoryQuotas } from "#adapters/records/quotas/memory-quotas.ts";
import { auditQueries } from "#adapters/records/shared/audit-queries.ts";
import { throwUnavailable } from "#adapters/records/shared/database/unavailable.ts";
import { DEFAULT_LIMITS, throwIfLimitReached } from "#adapters/records/shared/limits.ts";
import { type Counters, readCounters } from "#adapters/records/shared/policy/policy-statements.ts";
import { deploymentIn, recordsIn } from "#adapters/records/shared/records.ts";
import { MEMORY_COLUMNS, toMemory } from "#adapters/records/shared/rows.ts";
import { value } from "#adapters/records/shared/sql/dialect.ts";
import { createMutex } from "#async/semaphore.ts";
import { rulesOf } from "#core/gate/policy.ts";
import type { MemoryOnRecord } from "#core/memory.ts";
import type { DeploymentRecords, MemoryRecords, RecordAudit, RecordRows, RecordStore } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";
import { addRowDigest } from "./connection/open.ts";
import { openConnection, type SqliteOptions } from "./connection/open-connection.ts";
import { type Runner, sqliteDatabase, sqliteForTenant, statementRunner } from "./connection/sqlite-database.ts";
import { fenceLocks, sqliteFence } from "./fence.ts";
import { applyReset, resetInWorker } from "./reset-worker.ts";

/** So many are forgotten in a few milliseconds. With more of them, a worker resets the database. */
const FEW_MEMORIES = 1_000;
const COUNT_MEMORIES = value<number>`
  SELECT CAST(coalesce(sum(memories), 0) AS integer) FROM namespaces WHERE tenant = $tenant`;

export function sqliteRecords(options: SqliteOptions): DeploymentRecords {
  const { path, limits = DEFAULT_LIMITS, now = () => new Date() } = options;
  const { database: file, connection, close } = openConnection(options);
  const runner = statementRunner(file, now);
  const counters = counterMirror(file, connection.lastCommit, runner);
  const shared = sqliteDatabase(connection, runner);
  const at = memoriesAt(connection, now);
  const locks = { exclusively: createMutex() };
  // One process serves the file, so it counts alone.
  const quotas = memoryQuotas();

  const lockOf = fenceLocks();

  function open(tenant: number): RecordStore {
    const database = sqliteForTenant(shared, tenant);
    const mirrored = () => counters(tenant);
    const fence = sqliteFence(lockOf(tenant), database, connection, mirrored, now);
    return {
      ...recordsIn(database, {
        limits,
        fence,
        at: at(tenant),
        counters: () => connection.readNow(mirrored),
        onForgotten: connection.truncateLog,
      }),
      locks,
      quotas,

      async reset(memories, policy, stamp, leases = []) {
        const reset = { memories, rules: rulesOf(policy), stamp, leases };
        const had = (await database.row(COUNT_MEMORIES())) ?? 0;
        const isSmall = path === ":memory:" || had <= FEW_MEMORIES;
        const apply = () =>
          isSmall
            ? connection.write(() => applyReset(database, reset, limits))
            : connection.alone(() => resetInWorker({ path, tenant, reset, limits }));
        return (
          fence
            .exclusively(apply)
            // A first start forgets nothing.
            .finally(() => had > 0 && connection.truncateLog())
            .catch(throwIfLimitReached(database, limits))
        );
      },

      audit: audits(path, connection, tenant),
      async ping() {
        connection.checkStorage();
        await database.rows(readCounters);
      },
      async close() {
        forget(tenant);
      },
    };
  }

  const { records, forget } = deploymentIn(shared, sqliteForTenant, open, connection.truncateLog);
  return {
    ...records,
    async close() {
      await shared.idle();
      close();
    },
  };
}

/** An audit reads in one transaction, on a connection of its own: it neither sees later writes nor blocks them. */
function audits(path: string, connection: Connection, tenant: number): RecordStore["audit"] {
  async function onSnapshot<T>(check: (audit: RecordAudit) => Promise<T>): Promise<T> {
    // A database in memory has only one connection.
    if (path === ":memory:") return check(auditOf(connection.database, tenant));
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      addRowDigest(database);
      database.exec("BEGIN");
      return await check(auditOf(database, tenant));
    } finally {
      database.close();
    }
  }

  return (check) => onSnapshot(check).catch(throwUnavailable);
}

function auditOf(database: DatabaseSync, tenant: number): RecordAudit {
  const queries = auditQueries("sqlite", tenant);
  return {
    async *rows<Kind extends keyof RecordRows>(kind: Kind) {
      for (const row of database.prepare(queries[kind]).iterate()) yield row as unknown as RecordRows[Kind];
    },

    async complaints() {
      const integrity = database.prepare("PRAGMA integrity_check").all() as { integrity_check: string }[];
      const dangling = database.prepare("PRAGMA foreign_key_check").all() as unknown as DanglingReference[];
      return [
        ...integrity.map((row) => row.integrity_check).filter((text) => text !== "ok"),
        ...dangling.map(
          ({ table, rowid, parent }) =>
            `${rowid === null ? "a row" : `row ${rowid}`} of ${table} refers to a row of ${parent} that is not there`,
        ),
      ];
    },
  };
}

/** A table that is kept in the order of its key has no row ids. */
type DanglingReference = { readonly table: string; readonly rowid: number | null; readonly parent: string };

// The memories that a recall found: a dozen in every chat. As arrays they take a third less time than as objects.

function memoriesAt({ database, read }: Connection, now: () => Date): (tenant: number) => MemoryRecords["at"] {
  const findAt = database.prepare(
    `SELECT sequence, ${MEMORY_COLUMNS} FROM json_each(?) AS wanted
     JOIN memories ON tenant = ? AND sequence = wanted.value WHERE expires_at IS NULL OR expires_at > ?`,
  );
  findAt.setReturnArrays(true);
  return (tenant) => (sequences) =>
    read(() => {
      const rows = findAt.all(JSON.stringify(sequences), tenant, now().toISOString());
      return new Map((rows as unknown as MemoryArray[]).map(toEntry));
    });
}

type Text = string | null;
type S = string;
/** `sequence`, and `MEMORY_COLUMNS`. */
type MemoryArray = [number, S, S, S, S, S, S, S, number, Text, Text, Text, Text, Text, S, Text, Text];

function toEntry(row: MemoryArray): [number, MemoryOnRecord] {
  const [sequence, memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest, pinned] = row;
  const [key, expiresAt, supersedes, encryptionKeyId, wrappedKey] = row.slice(9, 14) as Text[];
  const memory = { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest };
  const [occurredAt = null, metadata = null] = row.slice(15) as Text[];
  const isPlain = pinned === 0 && key === null && expiresAt === null && supersedes === null && encryptionKeyId === null;
  if (isPlain && occurredAt === null && metadata === null) return [sequence, memory];
  const optional = { key: key ?? null, expiresAt: expiresAt ?? null, supersedes: supersedes ?? null };
  const encryption = { encryptionKeyId: encryptionKeyId ?? null, wrappedKey: wrappedKey ?? null, factHash: row[14] };
  return [sequence, toMemory({ ...memory, pinned, ...optional, ...encryption, occurredAt, metadata })];
}

const MOST_MIRRORED = 10_000;

/**
 * The counters of a tenant, from a mirror in memory: for the fence, which every chat passes twice. It cannot be out of
 * date: it holds until the next commit, whoever makes it, and is filled outside of transactions. Where nobody can tell
 * whether there was a commit, there is no mirror.
 */
export function counterMirror(
  database: Pick<DatabaseSync, "isTransaction">,
  lastCommit: Connection["lastCommit"],
  { run }: Pick<Runner, "run">,
): (tenant: number) => Counters {
  const read = (tenant: number) => run({ ...readCounters, tenant })[0] as Counters;
  const mirror = new Map<number, Counters>();
  let mirroredAt: string | undefined;

  return (tenant) => {
    const commit = database.isTransaction ? undefined : lastCommit();
    if (commit === undefined) return read(tenant);
    if (commit !== mirroredAt || mirror.size >= MOST_MIRRORED) mirror.clear();
    mirroredAt = commit;
    const counters = mirror.get(tenant) ?? read(tenant);
    mirror.set(tenant, counters);
    return counters;
  };
}
