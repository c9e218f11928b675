// Records in PostgreSQL, for several processes at once. All of them use one primary. A write answers when its commit is
// on the server's disk.
import { sharedQuotas } from "#adapters/records/quotas/shared-quotas.ts";
import type { OnCommit } from "#adapters/records/shared/database/commit-observer.ts";
import { olderVersion, type SchemaChange } from "#adapters/records/shared/database/schema-change.ts";
import { DEFAULT_LIMITS } from "#adapters/records/shared/limits.ts";
import { capturedEvent, resetEvents } from "#adapters/records/shared/logs/events.ts";
import { namesOfFact, namesOfRule } from "#adapters/records/shared/memories/names.ts";
import { pinsOf } from "#adapters/records/shared/rows.ts";
import { rulesOf } from "#core/gate/policy.ts";
import type { RecordLimits, RecordStore } from "#ports.ts";
import { anchorRecords } from "./anchors.ts";
import { audits } from "./audit.ts";
import { blobTexts } from "./blob-texts.ts";
import { chainAnchorRecords } from "./chain-anchors.ts";
import { changeFeed } from "./change-feed.ts";
import { checkLocks } from "./connection/check-locks.ts";
import { readCounters } from "./connection/counters.ts";
import { connectTo, type Database } from "./connection/database.ts";
import { durabilityWarning } from "./connection/durability.ts";
import { throwNotOpened } from "./connection/failures.ts";
import { migrate } from "./connection/migrate.ts";
import { gateRecords } from "./gates.ts";
import { idempotencyRecords } from "./identity/idempotency.ts";
import { keyRecords } from "./identity/keys.ts";
import { sessionRecords } from "./identity/sessions.ts";
import { signingKeyRecords } from "./identity/signing-keys.ts";
import { ledgerLog } from "./ledger-log.ts";
import { jobLocks } from "./locks.ts";
import { decisionRecords } from "./logs/decisions.ts";
import { eventRecords } from "./logs/events.ts";
import { nameLists } from "./logs/name-lists.ts";
import { reportRecords } from "./logs/reports.ts";
import { retentionRecords } from "./logs/retention.ts";
import { memoryRecords } from "./memories/memories.ts";
import { addMemories, throwIfLimitReached } from "./memories/memory-table.ts";
import { namesOfSettings, namespaceRecords } from "./memories/namespaces.ts";
import { setPinned } from "./memories/pins.ts";
import { forgetAllMemories } from "./memories/removals.ts";
import { sealRecords } from "./memories/seals.ts";
import { hasNewestSkeletons, replaceNames, updateSkeletons } from "./names.ts";
import { policyRecords } from "./policy/policy.ts";
import { changedLeaves, lockRemovals, notifyAll } from "./policy/statements.ts";
import { receiptRecords } from "./receipts.ts";
import { snapshotRegister } from "./snapshot-register.ts";
import { leaseRecords, putLeases } from "./tables/leases.ts";
import { transferRecords } from "./transfer/transfer.ts";
import { writeOnceValues } from "./write-once.ts";

/** To forget millions of memories takes longer than any other statement. */
const RESET_TIMEOUT_MS = 300_000;
const QUOTA_CONNECTIONS = 2;
const QUOTA_STATEMENT_MS = 1_000;

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** How many connections ordinary statements may use. The fence, the listener, the locks and audits have their own. */
  readonly max?: number;
  readonly limits?: RecordLimits;
  readonly onCommit?: OnCommit | undefined;
  /** What may change in the schema. Everything, unless this says otherwise. */
  readonly schemaChange?: SchemaChange | undefined;
  /** Told what an operator should know about the server's settings. */
  readonly onWarning?: (message: string) => void;
}

export async function postgresRecords({
  url,
  max = 10,
  limits = DEFAULT_LIMITS,
  onCommit,
  schemaChange,
  onWarning = () => undefined,
}: PostgresOptions): Promise<RecordStore> {
  const database = connectTo(url, max, onCommit);
  try {
    await checkLocks(database);
    await migrateOn(database, schemaChange);
    const warning = await durabilityWarning(database);
    if (warning !== undefined) onWarning(warning);
  } catch (error) {
    await database.close();
    return throwNotOpened(error);
  }
  return recordsIn(database, limits);
}

async function migrateOn(database: Database, schemaChange: SchemaChange = "upgrade"): Promise<void> {
  const client = database.client();
  client.on("error", () => undefined);
  await client.connect();
  try {
    await migrate(client, undefined, schemaChange);
    if (schemaChange === "none" && !(await hasNewestSkeletons(client)))
      throw olderVersion("the database", "its names have another normal form");
    await updateSkeletons(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function recordsIn(database: Database, limits: RecordLimits): RecordStore {
  const lists = nameLists(database);
  const receipts = receiptRecords(database, lists);
  const decisions = decisionRecords(database, lists);
  const policy = policyRecords(database, limits);
  const memories = memoryRecords(database, limits, policy);

  return {
    memories: memories.records,
    namespaces: namespaceRecords(database, limits),
    changeFeed: changeFeed(database),
    policy: policy.records,
    receipts: receipts.records,
    decisions: decisions.records,
    events: eventRecords(database),
    retention: retentionRecords(database),
    reports: reportRecords(database),
    anchors: anchorRecords(database),
    chainAnchors: chainAnchorRecords(database),
    gates: gateRecords(database),
    ledgerLog: ledgerLog(database),
    leases: leaseRecords(database),
    blobTexts: blobTexts(database),
    writeOnce: writeOnceValues(database),
    snapshots: snapshotRegister(database),
    idempotency: idempotencyRecords(database),
    locks: jobLocks(database),
    keys: keyRecords(database),
    sessions: sessionRecords(database),
    signingKeys: signingKeyRecords(database),
    seals: sealRecords(database, limits, policy),
    transfer: transferRecords(database, limits, lists, policy),
    quotas: sharedQuotas({ pool: database.pool(QUOTA_CONNECTIONS, { statementMs: QUOTA_STATEMENT_MS }) }),

    async reset(seed, leaves, stamp, leases = []) {
      // Before the fence is taken: to forget millions of memories takes long, and the fence holds up every answer.
      const before = [
        lockRemovals,
        ...forgetAllMemories(stamp),
        ...(seed.length === 0 ? [] : addMemories(seed, limits, "each")),
        ...pinsOf(seed).map((pin) => setPinned(pin, stamp)),
      ];
      const names = [
        ...seed.flatMap(namesOfFact),
        ...rulesOf(leaves).flatMap(namesOfRule),
        ...(await namesOfSettings(database)),
      ];
      const after = [...putLeases(leases), ...replaceNames(names), notifyAll];
      await policy
        .change(
          {
            changed: changedLeaves(leaves),
            before,
            after,
            events: () => [...resetEvents(stamp.at), ...seed.map(capturedEvent)],
          },
          stamp,
          { timeoutMs: RESET_TIMEOUT_MS },
        )
        .catch(throwIfLimitReached(limits));
    },

    audit: audits(database),
    async ping() {
      database.requireRoom();
      await database.write(readCounters);
    },
    close: () => database.close(Promise.all([policy.close(), memories.idle(), receipts.idle(), decisions.idle()])),
  };
}
