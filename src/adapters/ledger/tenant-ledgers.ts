// The ledgers of the tenants beside `default`. Each has a gate of its own below the first one, which is made by a
// transaction at its first anchor. The id of the gate follows from a random key, which is on record before: so a gate that
// was made is found again after a crash, and no process makes a second.
import { randomBytes } from "node:crypto";
import { DEFAULT_TENANT, type TenantRef } from "#core/identity/tenant.ts";
import { gateIdOf } from "#core/receipt/chain-receipt.ts";
import type { DeploymentRecords, Ledger, RecordStore } from "#ports.ts";
import type { OtherTenants } from "./sui/commit/commit-plan.ts";
import type { GateLedger, SuiLedgerOptions } from "./sui/sui-ledger.ts";
import { unfinishedIn } from "./unfinished-work.ts";

/** What the process has opened once. */
export interface OpenedLedger {
  readonly packageId: string;
  /** The first gate, and its ledger: that of the tenant `default`. */
  readonly rootId: string;
  readonly root: GateLedger;
  gateLedger(own: Pick<SuiLedgerOptions, "records" | "gateId" | "rootId" | "gateKey" | "names" | "others">): GateLedger;
}

interface Options {
  readonly root: () => Ledger;
  readonly open: () => Promise<OpenedLedger>;
  readonly deployment: Pick<DeploymentRecords, "recordsOf" | "ledgerWork" | "writeOnce">;
  readonly names?: SuiLedgerOptions["names"];
  /** Whether nothing can be sent. */
  readonly isReadOnly?: boolean | undefined;
}

interface Opened {
  readonly ledger: Promise<GateLedger>;
  now?: GateLedger;
  users: number;
}

const GATE_KEY_BYTES = 32;
/** A ledger that nobody uses is closed when there are more. */
const MOST_OPEN = 1_000;
/** So many requests are looked at, and so many gates, in one run of a job. */
const MOST_REQUESTS = 10_000;
const GATES_PAGE = 1_000;
const MOST_SYNCED = 20;

export function tenantLedgers(options: Options) {
  const { open, root, deployment, names, isReadOnly = false } = options;
  const { ledgerWork: work } = deployment;
  /** The one that was used last is the last. */
  const opened = new Map<number, Opened>();

  async function openLedger(number: number, records: RecordStore): Promise<GateLedger> {
    const { packageId, rootId, gateLedger } = await open();
    const key = await records.writeOnce.putIfAbsent("gate-key", randomBytes(GATE_KEY_BYTES));
    const gateId = gateIdOf({ packageId, rootId, key });
    const wanted = names ?? (await namesOf(rootId));
    return gateLedger({ records, gateId, rootId, gateKey: key, names: wanted, others: othersOf(number) });
  }

  /** A deployment that hides names hides those of all its tenants, whatever a node says of their gates. */
  async function namesOf(rootId: string): Promise<SuiLedgerOptions["names"]> {
    const said = await deployment.writeOnce.find(`gate-names ${rootId}`);
    return said !== undefined && Buffer.from(said).toString() === "pseudonyms" ? "pseudonyms" : undefined;
  }

  async function use<T>(number: number, records: RecordStore, run: (ledger: GateLedger) => Promise<T>): Promise<T> {
    const used: Opened = opened.get(number) ?? { ledger: openLedger(number, records), users: 0 };
    opened.delete(number);
    opened.set(number, used);
    used.users += 1;
    try {
      used.now = await used.ledger;
      return await run(used.now);
    } catch (error) {
      if (used.now === undefined && opened.get(number) === used) opened.delete(number);
      throw error;
    } finally {
      used.users -= 1;
      if (opened.size > MOST_OPEN) await closeUnused();
    }
  }

  async function closeUnused(): Promise<void> {
    for (const [number, { users }] of opened) {
      if (opened.size <= MOST_OPEN) return;
      if (users === 0) await close(number);
    }
  }

  /** When its tenant is unloaded. A job that works for it goes on. */
  async function drop(number: number): Promise<void> {
    if (opened.get(number)?.users === 0) await close(number);
    else opened.delete(number);
  }

  async function close(number: number): Promise<void> {
    const used = opened.get(number);
    opened.delete(number);
    await (await used?.ledger.catch(() => undefined))?.close();
  }

  /** What a tenant has to know of the others before it sends anything. */
  function othersOf(own: number): OtherTenants {
    const openOnes = async () => (await work.openTransactions()).filter(({ number }) => number !== own);
    return {
      isOpen: async () => (await openOnes()).length > 0,
      async finish() {
        for (const other of await openOnes()) {
          // What went wrong with it concerns its tenant, unless it is still open.
          await finishOf(other).catch(async (error) => {
            if ((await openOnes()).length > 0) throw error;
          });
        }
      },
    };
  }

  const finishOf = async (tenant: TenantRef): Promise<void> =>
    tenant.number === DEFAULT_TENANT.number
      ? (await open()).root.finishOpen()
      : use(tenant.number, deployment.recordsOf(tenant), (ledger) => ledger.finishOpen());

  function of({ number }: Pick<TenantRef, "number">, records: RecordStore): Ledger {
    const hasKey = async () => (await records.writeOnce.find("gate-key")) !== undefined;
    const using = <T>(run: (ledger: GateLedger) => Promise<T>): Promise<T> => use(number, records, run);
    return {
      network: root().network,
      explorerUrl: (digest) => root().explorerUrl(digest),
      packageId: () => root().packageId(),
      gate: () => using((ledger) => ledger.gate()),
      anchor: (request) => using((ledger) => ledger.anchor(request)),
      // The log is the deployment's.
      anchorCheckpoint: (checkpoint) => root().anchorCheckpoint(checkpoint),
      lastCheckpoint: (origin) => root().lastCheckpoint(origin),
      async anchorChain(end, before) {
        if (!isReadOnly && (await hasKey())) await using((ledger) => ledger.anchorChain(end, before));
      },
      unfinished: () => unfinishedIn(records),
      recover: () => using((ledger) => ledger.recover()),
      // Before the first anchor there is no key, and nothing is opened.
      async sync() {
        if (!isReadOnly && (await hasKey())) await using((ledger) => ledger.sync());
      },
      policyVersion: () => opened.get(number)?.now?.policyVersion(),
      naming: () => using((ledger) => ledger.naming()),
      keys: async () => ((await hasKey()) ? using((ledger) => ledger.keys()) : []),
      find: (objectId) => root().find(objectId),
      policyHolder: (anchor) => root().policyHolder(anchor),
      drift: async () => ((await hasKey()) ? using((ledger) => ledger.drift()) : { rules: 0, isOursToMend: true }),
      balance: () => root().balance(),
      close: () => drop(number),
    };
  }

  const ledgerOf = (tenant: TenantRef): Ledger => of(tenant, deployment.recordsOf(tenant));

  /** The tenants up to this one were looked at. */
  let looked = DEFAULT_TENANT.number;

  async function syncSome(): Promise<void> {
    const { behind, next } = await work.gates({ after: looked, limit: GATES_PAGE });
    const due = behind.slice(0, MOST_SYNCED);
    looked = (behind.length > due.length ? due.at(-1)?.number : next) ?? DEFAULT_TENANT.number;
    for (const tenant of due) await ledgerOf(tenant).sync();
  }

  /** The ledger of the first tenant, whose jobs work for all tenants. */
  const withOthers = (ledger: Ledger): Ledger => ({
    ...ledger,
    async unfinished() {
      const [requests, open] = await Promise.all([work.requests(MOST_REQUESTS), work.openTransactions()]);
      return { requests: requests.map(({ request }) => request), transactions: open.map(({ txDigest }) => txDigest) };
    },
    async recover() {
      const [requests, open] = await Promise.all([work.requests(MOST_REQUESTS), work.openTransactions()]);
      const tenants = new Map([...open, ...requests].map(({ number, id }) => [number, { number, id }]));
      let recovered = 0;
      for (const tenant of tenants.values()) {
        const own = tenant.number === DEFAULT_TENANT.number ? ledger : ledgerOf(tenant);
        recovered += await own.recover();
        // While a transaction has no outcome, nobody can send another.
        if ((await work.openTransactions()).length > 0) break;
      }
      return recovered;
    },
    async sync() {
      await ledger.sync();
      // As with that of the first tenant: the next run tries again.
      if (!isReadOnly) await syncSome().catch(() => undefined);
    },
    async close() {
      await Promise.all([ledger.close(), ...[...opened.keys()].map(close)]);
    },
  });

  const hasGates = async () => (await work.gates({ after: DEFAULT_TENANT.number, limit: 1 })).next !== undefined;
  return { of, othersOf, hasGates, withOthers };
}
