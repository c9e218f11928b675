import type { DatabaseSync } from "node:sqlite";
import { limitReached } from "#adapters/records/shared/limits.ts";
import { changedEvent } from "#adapters/records/shared/logs/events.ts";
import { namesOfRule } from "#adapters/records/shared/memories/names.ts";
import {
  type ChangeLogQuery,
  NEWEST,
  NO_CHANGE,
  toChangePage,
} from "#adapters/records/shared/policy/policy-changes.ts";
import { LEAVES_PER_READ, toPolicyUpdate } from "#adapters/records/shared/policy/policy-update.ts";
import type { CounterTable } from "#adapters/records/sqlite/connection/counters.ts";
import type { TotalTable } from "#adapters/records/sqlite/connection/totals.ts";
import {
  type AccessRule,
  isAllowed,
  type LeafChange,
  type Policy,
  policyFrom,
  rulesOf,
  type VersionedPolicy,
} from "#core/gate/policy.ts";
import { nextLink } from "#core/gate/policy-link.ts";
import type { ChangePosition, PolicyChange, PolicyChangePage, PolicyUpdate, RecordLimits, Stamp } from "#ports.ts";
import type { EventTable } from "./event-table.ts";
import type { NameTable } from "./names.ts";

export type PolicyTable = ReturnType<typeof policyTable>;

/** Reads and writes of the policy. Those that write must run inside a transaction. */
export function policyTable(
  database: DatabaseSync,
  counters: CounterTable,
  totals: TotalTable,
  names: NameTable,
  limits: RecordLimits,
  events: EventTable,
) {
  const readAll = database.prepare(
    "SELECT agent_id AS agentId, namespace, allowed FROM access ORDER BY agent_id, namespace",
  );
  const readLeaf = database.prepare("SELECT allowed FROM access WHERE agent_id = ? AND namespace = ?");
  const writeLeaf = database.prepare(
    `INSERT INTO access (agent_id, namespace, allowed) VALUES (:agentId, :namespace, :allowed)
     ON CONFLICT DO UPDATE SET allowed = excluded.allowed`,
  );
  const removeLeaf = database.prepare("DELETE FROM access WHERE agent_id = ? AND namespace = ?");
  const log = database.prepare(
    `INSERT INTO access_changes (version, agent_id, namespace, was, became, changed_by, changed_at)
     VALUES (:version, :agentId, :namespace, :was, :became, :by, :at)`,
  );
  const logReader = (condition: string) =>
    database.prepare(
      `SELECT version, agent_id AS agentId, namespace, was, became, changed_by AS "by", changed_at AS "at"
       FROM access_changes WHERE ${condition} version <= :version
       ORDER BY version DESC, agent_id, namespace LIMIT :limit OFFSET :skipped`,
    );
  const readLog = logReader("");
  const readLogOfAgent = logReader("agent_id = :agentId AND");
  const readLogOfNamespace = logReader("namespace = :namespace AND");
  const readLogOfGate = logReader("agent_id = :agentId AND namespace = :namespace AND");
  const readLogFrom = database.prepare(
    `SELECT version, agent_id AS agentId, namespace, was, became, changed_by AS "by", changed_at AS "at"
     FROM access_changes WHERE version >= ? ORDER BY version, agent_id, namespace LIMIT ? OFFSET ?`,
  );
  const addMove = database.prepare("INSERT INTO gate_moves (gate_id, version, after_version) VALUES (?, ?, ?)");
  const readLogAfter = database.prepare(
    `SELECT agent_id AS agentId, namespace, became FROM access_changes WHERE version > ?
     ORDER BY version, agent_id, namespace LIMIT ${LEAVES_PER_READ + 1}`,
  );
  const readLink = database.prepare("SELECT link FROM policy_links ORDER BY version DESC LIMIT 1");
  const addLink = database.prepare("INSERT INTO policy_links (version, link) VALUES (?, ?)");
  const lastLink = () => String(readLink.get()?.link);

  function leaves(): AccessRule[] {
    const rows = readAll.all() as unknown as { agentId: string; namespace: string; allowed: number }[];
    return rows.map(({ allowed, ...leaf }) => ({ ...leaf, allowed: allowed === 1 }));
  }

  function read(): VersionedPolicy {
    return { policy: policyFrom(leaves()), version: counters.value("policy") };
  }

  /** Changes that belong together have one version. */
  function apply(changes: readonly LeafChange[], stamp: Stamp): void {
    if (changes.length === 0) return;
    const added = changes.filter(({ from }) => from === null).length - changes.filter(({ to }) => to === null).length;
    if (totals.add("leaves", added) > limits.policyLeaves && added > 0) throw limitReached("policyLeaves", limits);
    for (const { agentId, namespace, to } of changes) {
      if (to === null) removeLeaf.run(agentId, namespace);
      else writeLeaf.run({ agentId, namespace, allowed: Number(to) });
    }
    record(counters.advance("policy"), changes, stamp);
  }

  /** Adds a version to the hash chain and to the change log. */
  function record(version: number, changes: readonly LeafChange[], { by, at }: Stamp): void {
    addLink.run(version, nextLink(lastLink(), version, changes));
    for (const { agentId, namespace, from, to } of changes) {
      log.run({ version, agentId, namespace, was: toBit(from), became: toBit(to), by, at });
    }
  }

  function leaf({ agentId, namespace }: Omit<AccessRule, "allowed">): boolean | null {
    const row = readLeaf.get(agentId, namespace);
    return row === undefined ? null : row.allowed === 1;
  }

  function logRows({ from = NEWEST, limit, agentId, namespace }: ChangeLogQuery) {
    const page = { version: from.version, limit: limit + 1, skipped: from.leaves };
    if (agentId === undefined)
      return namespace === undefined ? readLog.all(page) : readLogOfNamespace.all({ ...page, namespace });
    return namespace === undefined
      ? readLogOfAgent.all({ ...page, agentId })
      : readLogOfGate.all({ ...page, agentId, namespace });
  }

  return {
    read,

    /** What a reader of the change feed is missing. */
    updateSince(readerVersion: number): PolicyUpdate {
      const rows = readLogAfter.all(readerVersion) as unknown as Omit<ChangeRow, "was">[];
      const changes = rows.map(({ agentId, namespace, became }) => ({ agentId, namespace, to: toBoolean(became) }));
      return toPolicyUpdate(readerVersion, counters.value("policy"), lastLink(), changes, leaves);
    },

    /** What is on record for an agent and a namespace; null when nothing is. */
    leaf,

    set(rule: AccessRule, stamp: Stamp): { version: number } {
      const { agentId, namespace, allowed } = rule;
      const from = leaf(rule);
      const change = { agentId, namespace, from, to: allowed };
      if (from === allowed) return { version: counters.value("policy") };
      names.use(namesOfRule(rule));
      apply([change], stamp);
      const version = counters.value("policy");
      events.add(changedEvent(change, version, stamp.at));
      return { version };
    },

    moveBeyond(
      past: number,
      { gateId, after }: { readonly gateId: string; readonly after: number },
      stamp: Stamp,
    ): void {
      const current = counters.value("policy");
      const version = counters.advance("policy", Math.max(past, current) + 1 - current);
      record(version, NO_CHANGE, stamp);
      addMove.run(gateId, version, after);
    },

    replace: (policy: Policy, stamp: Stamp) => apply(differences(read().policy, policy), stamp),

    allowsAll: (agentId: string, namespaces: readonly string[]) =>
      namespaces.every((namespace) => readLeaf.get(agentId, namespace)?.allowed === 1),

    changesFrom({ version, leaves: skipped }: ChangePosition, limit: number): PolicyChange[] {
      return (readLogFrom.all(version, limit, skipped) as unknown as ChangeRow[]).map(toChange);
    },

    changes(query: ChangeLogQuery): PolicyChangePage {
      const rows = logRows(query) as unknown as ChangeRow[];
      return toChangePage(rows.map(toChange), query);
    },
  };
}

type ChangeRow = Omit<PolicyChange, "from" | "to"> & { readonly was: number | null; readonly became: number | null };

function toChange({ was, became, ...row }: ChangeRow): PolicyChange {
  return { ...row, from: toBoolean(was), to: toBoolean(became) };
}

const toBit = (value: boolean | null): number | null => (value === null ? null : Number(value));
const toBoolean = (value: number | null): boolean | null => (value === null ? null : value === 1);

function differences(from: Policy, to: Policy): LeafChange[] {
  const has = (policy: Policy, { agentId, namespace }: AccessRule) =>
    Object.hasOwn(policy, agentId) && Object.hasOwn(policy[agentId] ?? {}, namespace);
  const before = (rule: AccessRule) => (has(from, rule) ? isAllowed(from, rule.agentId, rule.namespace) : null);
  const set = rulesOf(to).map((rule) => ({ ...rule, from: before(rule), to: rule.allowed }));
  const removed = rulesOf(from).filter((rule) => !has(to, rule));
  return [
    ...set.filter((change) => change.from !== change.to),
    ...removed.map(({ agentId, namespace, allowed }) => ({ agentId, namespace, from: allowed, to: null })),
  ];
}
