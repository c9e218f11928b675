// The SQL of the policy.

import { LOCKS } from "#adapters/records/postgres/connection/advisory-locks.ts";
import type { Statement } from "#adapters/records/postgres/connection/database.ts";
import { type ChangeLogQuery, NEWEST } from "#adapters/records/shared/policy/policy-changes.ts";
import { LEAVES_PER_READ } from "#adapters/records/shared/policy/policy-update.ts";
import { type AccessRule, type LeafChange, type Policy, rulesOf } from "#core/gate/policy.ts";
import type { ChangePosition, Stamp } from "#ports.ts";

/** Where every change of the policy, and every removal of memories, is announced. */
export const CHANNEL = "portcullis_policy";

/**
 * The writer's side of the fence. In every transaction that changes the policy it comes before the statements on the
 * policy. It waits until all running actions have ended, and PostgreSQL queues later actions behind it. What the next
 * statements read, nobody else changes.
 */
export const lockPolicy: Statement = { text: `SELECT pg_advisory_xact_lock(${LOCKS.policy})`, values: [] };

/**
 * Before the first lock of a transaction that removes memories. A reset locks the memories before it takes the fence,
 * because it takes long, and other removals lock them behind the fence.
 */
export const lockRemovals: Statement = { text: `SELECT pg_advisory_xact_lock(${LOCKS.removal})`, values: [] };

export const notifyAll: Statement = { text: `SELECT pg_notify('${CHANNEL}', '')`, values: [] };

// The leaves that differ from the wanted ones, before and after. Null is no leaf.
const CHANGED_LEAF = `
  SELECT $1::text AS agent_id, $2::text AS namespace, was, $3::boolean AS became
  FROM (SELECT (SELECT allowed FROM access WHERE agent_id = $1 AND namespace = $2) AS was) AS leaf
  WHERE was IS DISTINCT FROM $3`;
const CHANGED_LEAVES = `
  SELECT agent_id, namespace, access.allowed AS was, wanted.allowed AS became
  FROM access FULL JOIN json_to_recordset($1::json) AS wanted (agent_id text, namespace text, allowed boolean)
    USING (agent_id, namespace)
  WHERE access.allowed IS DISTINCT FROM wanted.allowed`;

const asChange = (changed: string) => `
  SELECT agent_id AS "agentId", namespace, was AS "from", became AS "to" FROM (${changed}) AS changed`;
const READ_CHANGED_LEAF = asChange(CHANGED_LEAF);
const READ_CHANGED_LEAVES = asChange(CHANGED_LEAVES);

/** The change that setting this leaf makes; no row when it has the value already. */
export function changedLeaf({ agentId, namespace, allowed }: AccessRule): Statement {
  return { text: READ_CHANGED_LEAF, values: [agentId, namespace, allowed] };
}

/** The changes that make the policy this one. */
export function changedLeaves(policy: Policy): Statement {
  const leaves = rulesOf(policy).map(({ agentId, namespace, allowed }) => ({ agent_id: agentId, namespace, allowed }));
  return { text: READ_CHANGED_LEAVES, values: [JSON.stringify(leaves)] };
}

/** The one row of a version in which no leaf changes. */
export const noLeaf: Statement = {
  text: `SELECT '' AS "agentId", '' AS namespace, NULL::boolean AS "from", NULL::boolean AS "to"`,
  values: [],
};

/** The policy without its leaves. */
export interface PolicyHead {
  readonly version: number;
  readonly link: string;
  /** How many leaves it has. */
  readonly leaves: number;
}

export const readHead: Statement = {
  text: `SELECT (SELECT value FROM counters WHERE name = 'policy') AS version,
           (SELECT value FROM totals WHERE name = 'leaves') AS leaves,
           (SELECT link FROM policy_links ORDER BY version DESC LIMIT 1) AS link`,
  values: [],
};

const APPLY = `
  WITH changed AS (
    SELECT "agentId" AS agent_id, namespace, "from" AS was, "to" AS became
    FROM json_to_recordset($1::json) AS changed ("agentId" text, namespace text, "from" boolean, "to" boolean)
  ),
  counted AS (UPDATE counters SET value = $2::bigint WHERE name = 'policy'),
  linked AS (INSERT INTO policy_links (version, link) VALUES ($2::bigint, $3)),
  totalled AS (UPDATE totals SET value = $4::bigint WHERE name = 'leaves'),
  logged AS (
    INSERT INTO access_changes (version, agent_id, namespace, was, became, changed_by, changed_at)
    SELECT $2::bigint, agent_id, namespace, was, became, $5::text, $6::text FROM changed
  ),
  removed AS (
    DELETE FROM access USING changed
    WHERE became IS NULL AND access.agent_id = changed.agent_id AND access.namespace = changed.namespace
  ),
  written AS (
    INSERT INTO access (agent_id, namespace, allowed)
    SELECT agent_id, namespace, became FROM changed WHERE became IS NOT NULL
    ON CONFLICT (agent_id, namespace) DO UPDATE SET allowed = excluded.allowed
  )
  SELECT pg_notify('${CHANNEL}', '')`;

/** Makes the changes, which are some, and logs them under the version of `head`, the policy's new one. Notifies every process. */
export function applyChanges(changes: readonly LeafChange[], head: PolicyHead, { by, at }: Stamp): Statement {
  return { text: APPLY, values: [JSON.stringify(changes), head.version, head.link, head.leaves, by, at] };
}

export const readPolicy: Statement = {
  text: `SELECT agent_id AS "agentId", namespace, allowed FROM access ORDER BY agent_id, namespace`,
  values: [],
};

/** The changes after this version, up to one more than `LEAVES_PER_READ`. */
export const readLogAfter = (version: number): Statement => ({
  text: `SELECT agent_id AS "agentId", namespace, became AS "to" FROM access_changes WHERE version > $1
         ORDER BY version, agent_id, namespace LIMIT ${LEAVES_PER_READ + 1}`,
  values: [version],
});

/** The policy, or no rows when a reader of this version is given the changes (`toPolicyUpdate`). */
export const readPolicyUnlessNear = (version: number): Statement => ({
  text: `SELECT agent_id AS "agentId", namespace, allowed FROM access
         WHERE $1 < 0 OR (SELECT value FROM counters WHERE name = 'policy') < $1
           OR (SELECT count(*) FROM (SELECT FROM access_changes WHERE version > $1 LIMIT ${LEAVES_PER_READ + 1}) AS later)
             > ${LEAVES_PER_READ}
         ORDER BY agent_id, namespace`,
  values: [version],
});

const ALLOWED = `
  SELECT agent_id AS "agentId", namespace FROM access
  JOIN unnest($1::text[], $2::text[]) AS asked (agent_id, namespace) USING (agent_id, namespace) WHERE allowed`;

/** Which of these leaves allow. */
export function allowedLeaves(leaves: readonly { readonly agentId: string; readonly namespace: string }[]): Statement {
  // PostgreSQL has no text with a NUL, so there is no such leaf. A statement that names one would fail for all leaves.
  const possible = leaves.filter(({ agentId, namespace }) => !`${agentId}${namespace}`.includes("\0"));
  return {
    text: ALLOWED,
    values: [possible.map(({ agentId }) => agentId), possible.map(({ namespace }) => namespace)],
  };
}

/** Oldest version first. */
export const readChangesFrom = ({ version, leaves }: ChangePosition, limit: number): Statement => ({
  text: `SELECT version, agent_id AS "agentId", namespace, was AS "from", became AS "to", changed_by AS "by",
           changed_at AS "at"
         FROM access_changes WHERE version >= $1 ORDER BY version, agent_id, namespace LIMIT $2 OFFSET $3`,
  values: [version, limit, leaves],
});

const RECORD_MOVE = "INSERT INTO gate_moves (gate_id, version, after_version) VALUES ($1, $2, $3)";

/** Records that the policy moved past a gate, to this version. */
export const recordMove = (gateId: string, version: number, after: number): Statement => ({
  text: RECORD_MOVE,
  values: [gateId, version, after],
});

/** One row more than the limit shows that there is a next page. */
export function readChanges({ from = NEWEST, limit, agentId, namespace }: ChangeLogQuery): Statement {
  const filters = [
    ["agent_id", agentId],
    ["namespace", namespace],
  ].flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]));
  const conditions = filters.map(({ column }, i) => `AND ${column} = $${i + 4}`).join(" ");
  return {
    text: `SELECT version, agent_id AS "agentId", namespace, was AS "from", became AS "to", changed_by AS "by",
             changed_at AS "at"
           FROM access_changes WHERE version <= $1 ${conditions}
           ORDER BY version DESC, agent_id, namespace LIMIT $2 OFFSET $3`,
    values: [from.version, limit + 1, from.leaves, ...filters.map(({ value }) => value)],
  };
}
