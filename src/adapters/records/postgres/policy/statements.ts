// The SQL of the policy.

import { LOCKS } from "#adapters/records/postgres/connection/advisory-locks.ts";
import type { Statement } from "#adapters/records/postgres/connection/database.ts";
import { type ChangeLogQuery, NEWEST } from "#adapters/records/shared/policy-changes.ts";
import { type AccessRule, type Policy, rulesOf } from "#core/gate/policy.ts";
import type { Stamp } from "#ports.ts";

/** Where every change of the policy is announced. */
export const CHANNEL = "portcullis_policy";

/**
 * The writer's side of the fence. In every transaction that changes the policy it comes before the statements on the
 * policy. It waits until all running actions have ended, and PostgreSQL queues later actions behind it. What the next
 * statements read, nobody else changes.
 */
export const lockPolicy: Statement = { text: `SELECT pg_advisory_xact_lock(${LOCKS.policy})`, values: [] };

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

/** Makes the changes, if there are any, under one new version, logs them, and notifies every process. */
const apply = (changed: string, by: string, at: string) => `
  WITH changed AS (${changed}),
  counted AS (
    UPDATE counters SET value = value + 1 WHERE name = 'policy' AND EXISTS (SELECT FROM changed) RETURNING value
  ),
  logged AS (
    INSERT INTO access_changes (version, agent_id, namespace, was, became, changed_by, changed_at)
    SELECT value, agent_id, namespace, was, became, ${by}::text, ${at}::text FROM counted, changed
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
  SELECT pg_notify('${CHANNEL}', '') FROM counted`;

const SET = apply(CHANGED_LEAF, "$4", "$5");
const REPLACE = apply(CHANGED_LEAVES, "$2", "$3");

export function setLeaf({ agentId, namespace, allowed }: AccessRule, { by, at }: Stamp): Statement {
  return { text: SET, values: [agentId, namespace, allowed, by, at] };
}

export function replacePolicy(policy: Policy, { by, at }: Stamp): Statement {
  const leaves = rulesOf(policy).map(({ agentId, namespace, allowed }) => ({ agent_id: agentId, namespace, allowed }));
  return { text: REPLACE, values: [JSON.stringify(leaves), by, at] };
}

export const readPolicy: Statement = {
  text: `SELECT agent_id AS "agentId", namespace, allowed FROM access ORDER BY agent_id, namespace`,
  values: [],
};

/** The policy, or no rows when its version is this one. */
export const readPolicyUnless = (version: number): Statement => ({
  text: `SELECT agent_id AS "agentId", namespace, allowed FROM access
         WHERE (SELECT value FROM counters WHERE name = 'policy') <> $1 ORDER BY agent_id, namespace`,
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

/** One row more than the limit shows that there is a next page. */
export const readChanges = ({ from = NEWEST, limit }: ChangeLogQuery): Statement => ({
  text: `SELECT version, agent_id AS "agentId", namespace, was AS "from", became AS "to", changed_by AS "by",
           changed_at AS "at"
         FROM access_changes WHERE version <= $1 ORDER BY version DESC, agent_id, namespace LIMIT $2 OFFSET $3`,
  values: [from.version, limit + 1, from.leaves],
});
