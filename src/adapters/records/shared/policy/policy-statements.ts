// The SQL of the policy.
import { ownQuota } from "#adapters/records/shared/limits.ts";
import * as sql from "#adapters/records/shared/sql.ts";
import { type AccessRule, keyOf, type Policy, type RuleChange, rulesOf } from "#core/gate/policy.ts";
import { policyDigestOf } from "#core/gate/policy-chain.ts";
import type * as ports from "#ports.ts";

/** The number of the last change of memories, how often memories were removed, and the version of the policy. They only grow. */
export interface Counters {
  readonly memory: number;
  readonly removal: number;
  readonly policy: number;
}

export const COUNTERS = `(SELECT value FROM counters WHERE tenant = $tenant AND name = 'memory') AS memory,
  (SELECT value FROM counters WHERE tenant = $tenant AND name = 'removal') AS removal,
  (SELECT value FROM counters WHERE tenant = $tenant AND name = 'policy') AS policy`;

/** Answers with `Counters`. All are read in one statement, so as of one moment. */
export const readCounters = sql.statement<Counters>`SELECT ${COUNTERS}`();

export interface PolicyHead {
  readonly version: number;
  readonly chainHash: string;
  readonly rules: number;
  /** The tenant's own quota of rules. */
  readonly quota: number | null;
}

export const LAST_CHAIN_HASH =
  "(SELECT chain_hash FROM policy_chain WHERE tenant = $tenant ORDER BY version DESC LIMIT 1)";

export const readHead = sql.statement<PolicyHead>`
  SELECT coalesce((SELECT value FROM counters WHERE tenant = $tenant AND name = 'policy'), 0) AS version,
    (SELECT value FROM totals WHERE tenant = $tenant AND name = 'policyRules') AS rules, ${LAST_CHAIN_HASH} AS "chainHash",
    ${ownQuota("policyRules")} AS quota`();

type Flag = number | boolean;
const toFlag = (value: Flag | null): boolean | null => (value === null ? null : Boolean(value));

type RuleRow = Omit<AccessRule, "allowed"> & { readonly allowed: Flag };
const toRule = ({ allowed, ...rule }: RuleRow): AccessRule => ({ ...rule, allowed: Boolean(allowed) });

type ChangeRow<C extends RuleChange = RuleChange> = Omit<C, "from" | "to"> & {
  readonly from: Flag | null;
  readonly to: Flag | null;
};
const toChange = <C extends RuleChange>({ from, to, ...change }: ChangeRow<C>): C =>
  ({ ...change, from: toFlag(from), to: toFlag(to) }) as unknown as C;

/** Changes that belong together, and the policy's head after them. */
export interface NewVersion {
  readonly changes: readonly RuleChange[];
  readonly head: PolicyHead;
  readonly stamp: Pick<ports.Stamp, "by" | "at">;
}

const RULE = "agentId namespace";
type Rule = Omit<AccessRule, "allowed">;

// The rules that differ from the wanted ones, before and after. Null is no rule.
const wanted = sql.tableIn("$1", `${RULE} allowed:boolean`, "wanted");
const CHANGED = sql.reading(toChange<RuleChange>)`
  SELECT coalesce(agent_id, "agentId") AS "agentId", coalesce(access.namespace, wanted.namespace) AS namespace,
    access.allowed AS "from", wanted.allowed AS "to"
  FROM (SELECT agent_id, namespace, allowed FROM access WHERE tenant = $tenant) AS access
    FULL JOIN ${wanted} ON agent_id = "agentId" AND access.namespace = wanted.namespace
  WHERE access.allowed IS DISTINCT FROM wanted.allowed`;
const RULES = sql.reading(toRule)`
  SELECT ${sql.columns("agentId namespace allowed", "access")} FROM ${sql.tableIn("$1", RULE)}
  JOIN access ON tenant = $tenant AND agent_id = "agentId" AND access.namespace = given.namespace`;
const COUNT = sql.entry<string, number>`
  SELECT value, (
    SELECT count(*) FROM (SELECT 1 FROM access WHERE tenant = $tenant AND namespace = value LIMIT $2) AS rules) AS count
  FROM ${sql.listIn("$1")}`;
const log = sql.insertRows<ports.PolicyChange>(
  "access_changes",
  `version:bigint ${RULE} from=was:boolean to=became:boolean by=changed_by at=changed_at`,
);
const extendChain = sql.insertRows<Pick<PolicyHead, "version" | "chainHash">>(
  "policy_chain",
  "version:bigint chainHash",
);
const put = sql.insertRows<Rule & { readonly to: boolean | null }>("access", `${RULE} to=allowed:boolean`, {
  tail: "ON CONFLICT (tenant, agent_id, namespace) DO UPDATE SET allowed = excluded.allowed",
});
const remove = sql.forRows<Rule>(
  RULE,
  (given) => `
    DELETE FROM access WHERE tenant = $tenant AND (agent_id, namespace) IN (SELECT "agentId", namespace FROM ${given})`,
);
const ON_RECORD = sql.entry<string, number | boolean>`${sql.inBoth(
  (table, isCurrent) => `
    SELECT memory_id, ${!isCurrent} AS "isSuperseded" FROM ${table}
    WHERE tenant = $tenant AND ${sql.among("memory_id", "$1")} AND ${sql.IS_CURRENT}`,
)}`;

export const policyStatements = {
  changed: (policy: Policy) => CHANGED(JSON.stringify(rulesOf(policy))),
  rules: (rules: readonly Rule[]) => RULES(JSON.stringify(rules)),
  /** How many rules each of these namespaces has, counted up to `most`. */
  count: (namespaces: readonly string[], most: number) => COUNT(namespaces, most),
  /** Makes the changes of these versions, oldest first, and logs them. No statement when there are none. */
  apply(versions: readonly NewVersion[]): sql.Statement[] {
    const last = versions.at(-1)?.head;
    if (last === undefined) return [];
    const changes = versions.flatMap(({ changes, head: { version }, stamp: { by, at } }) =>
      changes.map((change) => ({ ...change, version, by, at })),
    );
    const rules = [...new Map(changes.map((change) => [keyOf(change), change])).values()];
    return [
      ...log(changes),
      ...extendChain(versions.map(({ head }) => head)),
      { text: "UPDATE counters SET value = $1 WHERE tenant = $tenant AND name = 'policy'", values: [last.version] },
      { text: "UPDATE totals SET value = $1 WHERE tenant = $tenant AND name = 'policyRules'", values: [last.rules] },
      ...remove(rules.filter(({ to }) => to === null)),
      ...put(rules.filter(({ to }) => to !== null)),
    ];
  },
  /** For the fence: which of these memories are on record, and whether they are history. */
  onRecord: (memoryIds: readonly string[]) => ON_RECORD(memoryIds),
};

/** The one row of a version in which no rule changes. */
export const noRule = sql.reading(toChange<RuleChange>)`
  SELECT '' AS "agentId", '' AS namespace, CAST(NULL AS boolean) AS "from", CAST(NULL AS boolean) AS "to"`();

const RULE_COLUMNS = sql.columns(`${RULE} allowed`);
export const readPolicy = sql.reading(toRule)`
  SELECT ${RULE_COLUMNS} FROM access WHERE tenant = $tenant ORDER BY agent_id, namespace`();

/** How many changed rules one read brings. A reader that is further behind gets the whole policy. */
const RULES_PER_READ = 1_000;

/** The changes after this version, up to one more than are given. */
const LATER = sql.reading(({ to, ...rule }: Rule & { to: Flag | null }) => ({ ...rule, to: toFlag(to) }))`
  SELECT ${sql.columns(`${RULE} to=became`)} FROM access_changes WHERE tenant = $tenant AND version > $1
  ORDER BY version, agent_id, namespace LIMIT ${RULES_PER_READ + 1}`;
/** The policy, or no rows when the reader is given the changes. */
const UNLESS_NEAR = sql.reading(toRule)`
  SELECT ${RULE_COLUMNS} FROM access
  WHERE tenant = $tenant AND ($1 < 0 OR (SELECT value FROM counters WHERE tenant = $tenant AND name = 'policy') < $1
    OR (SELECT count(*) FROM (
        SELECT 1 FROM access_changes WHERE tenant = $tenant AND version > $1 LIMIT ${RULES_PER_READ + 1}) AS later)
      > ${RULES_PER_READ})
  ORDER BY agent_id, namespace`;

export const readUpdate = (version: number) => [readHead, LATER(version), UNLESS_NEAR(version)] as const;

export function toPolicyUpdate(
  readerVersion: number,
  [[head], changes, rules]: sql.RowsOf<ReturnType<typeof readUpdate>>,
): ports.PolicyUpdate {
  const { version, chainHash } = head as PolicyHead;
  const digest = policyDigestOf(chainHash);
  // A reader may be ahead: the database was restored from a backup.
  const isNear = readerVersion >= 0 && readerVersion < version && changes.length <= RULES_PER_READ;
  return isNear ? { digest, kind: "changes", changes } : { digest, kind: "whole", rules };
}

const CHANGE = sql.columns(`version ${RULE} from=was to=became by=changed_by at=changed_at`);
/** Oldest version first, after a version and so many of its rules. */
export const CHANGES_FROM = sql.reading(toChange<ports.PolicyChange>)`
  SELECT ${CHANGE} FROM access_changes WHERE tenant = $tenant AND version >= $1
  ORDER BY version, agent_id, namespace LIMIT $2 OFFSET $3`;

/** Newest version first. One row more than the limit shows that there is a next page. */
export async function readChanges(
  { rows }: sql.Database,
  { from = NEWEST, limit, agentId, namespace }: ports.PolicyChangeQuery,
) {
  const filters = Object.entries({ agent_id: agentId, namespace }).filter(([, value]) => value !== undefined);
  const conditions = filters.map(([column], i) => `AND ${column} = $${i + 4}`).join(" ");
  const text = `
    SELECT ${CHANGE} FROM access_changes WHERE tenant = $tenant AND version <= $1 ${conditions}
    ORDER BY version DESC, agent_id, namespace LIMIT $2 OFFSET $3`;
  const values = [from.version, limit + 1, from.rules, ...filters.map(([, value]) => value)];
  return (await rows<ChangeRow<ports.PolicyChange>>({ text, values })).map((row) => toChange(row));
}

const NEWEST: ports.ChangePosition = { version: Number.MAX_SAFE_INTEGER, rules: 0 };

/** `rows` has up to one change more than the limit. */
export function toChangePage(
  rows: readonly ports.PolicyChange[],
  { from = NEWEST, limit }: ports.PolicyChangeQuery,
): ports.PolicyChangePage {
  const changes = rows.slice(0, limit);
  if (rows.length <= limit) return { changes };
  const version = changes.at(-1)?.version ?? from.version;
  const rules = changes.filter((change) => change.version === version).length;
  return { changes, next: { version, rules: version === from.version ? from.rules + rules : rules } };
}
