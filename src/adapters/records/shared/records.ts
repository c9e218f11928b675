// All records but those that a database keeps in its own way.
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import { DEFAULT_TENANT } from "#core/identity/tenant.ts";
import type * as ports from "#ports.ts";
import { anchorRecords } from "./anchoring/anchors.ts";
import { chainAnchorRecords, ledgerGateRecords, ledgerWork } from "./anchoring/chain-anchors.ts";
import { blobTexts, leaseRecords } from "./anchoring/leases.ts";
import { idempotencyRecords, keyRecords, sessionRecords, signingKeyRecords } from "./identity/keys.ts";
import { decisionRecords } from "./logs/decisions.ts";
import { eventRecords } from "./logs/events.ts";
import { tenantLog, transparencyLog } from "./logs/log-tree.ts";
import { nameLists } from "./logs/name-lists.ts";
import { reportRecords } from "./logs/reports.ts";
import { retentionRecords } from "./logs/retention.ts";
import { webhookRecords } from "./logs/webhooks.ts";
import { captures } from "./memories/captures.ts";
import { changeFeed } from "./memories/change-feed.ts";
import { encryptionRecords } from "./memories/encryption.ts";
import { memoriesAt, memoryRecords } from "./memories/memories.ts";
import { namespaceRecords } from "./memories/namespaces.ts";
import { proposalRecords } from "./memories/proposals.ts";
import type { Fence } from "./policy/fence.ts";
import { policyRecords } from "./policy/policy.ts";
import type { Counters } from "./policy/policy-statements.ts";
import { receiptRecords } from "./receipts/receipts.ts";
import { DEPLOYMENT } from "./schema/tenant-tables.ts";
import { columns, type Database, insertRow, nextIn, reader, reading, statement, value } from "./sql.ts";
import { tenantDeletions } from "./tenant-deletions.ts";
import { tenantTemplateRecords } from "./tenant-templates.ts";
import { dueWork, tenantRecords } from "./tenants.ts";
import { transferRecords } from "./transfer.ts";

interface Parts {
  readonly limits: ports.RecordLimits;
  readonly fence: Fence;
  readonly at?: ports.MemoryRecords["at"];
  readonly counters?: () => Counters;
  readonly onForgotten?: () => void;
}

export function recordsIn(
  database: Database,
  { limits, fence, at = memoriesAt(database), counters, onForgotten = () => {} }: Parts,
): Omit<ports.RecordStore, "locks" | "quotas" | "reset" | "audit" | "ping" | "close"> {
  const lists = nameLists(database);
  const add = captures(database, limits, fence);
  return {
    memories: memoryRecords(database, { add, at, limits, fence, onForgotten }),
    namespaces: namespaceRecords(database, limits, fence),
    proposals: proposalRecords(database, { onForgotten }),
    changeFeed: changeFeed(database, counters),
    policy: policyRecords(database, limits, fence),
    receipts: receiptRecords(database, limits, lists),
    decisions: decisionRecords(database, lists),
    events: eventRecords(database),
    webhooks: webhookRecords(database),
    retention: retentionRecords(database),
    reports: reportRecords(database),
    log: tenantLog(database),
    anchors: anchorRecords(database, limits),
    chainAnchors: chainAnchorRecords(database),
    ledgerGates: ledgerGateRecords(database),
    ledgerLog: ledgerLog(database),
    leases: leaseRecords(database),
    blobTexts: blobTexts(database),
    writeOnce: writeOnceValues(database),
    snapshots: snapshotRegister(database),
    idempotency: idempotencyRecords(database),
    keys: keyRecords(database),
    sessions: sessionRecords(database),
    signingKeys: signingKeyRecords(database),
    encryption: encryptionRecords(database, { fence, onForgotten }),
    transfer: transferRecords(database, { limits, lists, fence }),
  };
}

/** The records of a deployment but for how it ends. `forget` is for `close` of a tenant's store. */
export function deploymentIn<D extends Database>(
  shared: D,
  bound: (database: D, tenant: number) => D,
  open: (tenant: number) => ports.RecordStore,
  onForgotten?: () => void,
): { readonly records: Omit<ports.DeploymentRecords, "close">; forget(tenant: number): void } {
  const { forget, ...stores } = tenantStores(open);
  const deployment = bound(shared, DEPLOYMENT);
  const records = {
    ...stores.recordsOf(DEFAULT_TENANT),
    tenants: tenantRecords(shared),
    tenantTemplates: tenantTemplateRecords(shared),
    tenantDeletions: tenantDeletions(shared, onForgotten),
    dueWork: dueWork(shared),
    deploymentKeys: keyRecords(deployment),
    ledgerWork: ledgerWork(shared),
    transparencyLog: transparencyLog(shared),
    deploymentLog: tenantLog(deployment),
    ...stores,
  };
  return { records, forget };
}

interface Opened {
  readonly records: ports.RecordStore;
  users: number;
  /** Somebody else has it, and closes it. */
  isKept: boolean;
}

type Stores = Pick<ports.DeploymentRecords, "recordsOf" | "useRecordsOf">;

/**
 * The stores of tenants that are open. A tenant has one at a time: its changes share turns, and its listeners are told.
 * `forget` is for `close` of the tenant's store.
 */
function tenantStores(open: (tenant: number) => ports.RecordStore): Stores & { forget(tenant: number): void } {
  const stores = new Map<number, Opened>();

  const storeOf = (tenant: number): Opened =>
    getOrInsert(stores, tenant, () => ({ records: open(tenant), users: 0, isKept: false }));

  return {
    recordsOf({ number }) {
      const store = storeOf(number);
      store.isKept = true;
      return store.records;
    },
    async useRecordsOf({ number }, work) {
      const store = storeOf(number);
      store.users += 1;
      try {
        return await work(store.records);
      } finally {
        store.users -= 1;
        if (store.users === 0 && !store.isKept) await store.records.close();
      }
    },
    forget: (tenant) => void stores.delete(tenant),
  };
}

const LOGGED = "sequence txDigest bytes signatures timestampMs chainHash";
const appendLogged = insertRow("ledger_log", LOGGED, { isShared: true });
const SET_HEAD = statement`
  INSERT INTO ledger_head (id, sequence, chain_hash) VALUES (1, $1, $2)
  ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, chain_hash = excluded.chain_hash`;
const HEAD = statement<Pick<ports.LoggedTransaction, "sequence" | "chainHash">>`
  SELECT ${columns("sequence chainHash")} FROM ledger_head`;
const LOGGED_PAGE = reading(reader<ports.LoggedTransaction>({ json: ["signatures"] }))`
  SELECT ${columns(LOGGED)} FROM ledger_log WHERE sequence > $1 ORDER BY sequence LIMIT $2`;

function ledgerLog({ rows, row, write }: Database): ports.LedgerLog {
  return {
    append: ({ signatures, ...logged }) =>
      write(
        appendLogged({ ...logged, signatures: JSON.stringify(signatures) }),
        SET_HEAD(logged.sequence, logged.chainHash),
      ),
    head: () => row(HEAD()),
    page: ({ after = 0, limit }) => rows(LOGGED_PAGE(after, limit)),
  };
}

// The update changes nothing. It makes the statement return the row that is there already.
const PUT_IF_ABSENT = value<Uint8Array>`
  INSERT INTO write_once (tenant, name, value) VALUES ($tenant, $1, $2)
  ON CONFLICT (tenant, name) DO UPDATE SET name = excluded.name RETURNING value`;
const FIND_VALUE = value<Uint8Array>`SELECT value FROM write_once WHERE tenant = $tenant AND name = $1`;

const writeOnceValues = ({ row, change }: Database): ports.WriteOnceValues => ({
  putIfAbsent: async (name, bytes) => (await change(PUT_IF_ABSENT(name, bytes)))[0] as Uint8Array,
  find: (name) => row(FIND_VALUE(name)),
});

/** How many snapshots of one namespace are on record. Replicas make their own. */
const SNAPSHOTS_KEPT = 8;

// A snapshot that is on record already becomes the newest.
const DROP_SNAPSHOT = statement`DELETE FROM index_snapshots WHERE tenant = $tenant AND namespace = $1 AND digest = $2`;
const TRIM_SNAPSHOTS = statement`
  DELETE FROM index_snapshots WHERE tenant = $tenant AND namespace = $1 AND number NOT IN
    (SELECT number FROM index_snapshots WHERE tenant = $tenant AND namespace = $1 ORDER BY number DESC LIMIT ${SNAPSHOTS_KEPT})`;
const REMOVE_SNAPSHOTS = statement`DELETE FROM index_snapshots WHERE tenant = $tenant AND namespace = $1`;
const ALL_SNAPSHOTS = statement<{ namespace: string; digest: string }>`
  SELECT namespace, digest FROM index_snapshots WHERE tenant = $tenant`;
const addSnapshot = insertRow("index_snapshots", "namespace digest", {
  values: { number: nextIn("index_snapshots", "number") },
  tail: "ON CONFLICT DO NOTHING",
});

function snapshotRegister({ rows, write }: Database): ports.SnapshotRegister {
  return {
    add: (namespace, digest) =>
      write(DROP_SNAPSHOT(namespace, digest), addSnapshot({ namespace, digest }), TRIM_SNAPSHOTS(namespace)),
    remove: (namespace) => write(REMOVE_SNAPSHOTS(namespace)),
    async all() {
      const all = await rows(ALL_SNAPSHOTS());
      const found = Map.groupBy(all, ({ namespace }) => namespace);
      return new Map([...found].map(([namespace, each]) => [namespace, new Set(each.map(({ digest }) => digest))]));
    },
  };
}
