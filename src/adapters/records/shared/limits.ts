// The limits of a record store, and what a caller is told who would exceed one. Most are quotas of the tenant: a total is
// kept of each (the table `totals`), and what adds to one is refused by the transaction itself.
import { PortcullisError } from "#core/errors.ts";
import type { PolicyAdmin, RecordLimits } from "#ports.ts";
import { limitOf, QUOTA_COLUMNS, TOTALS, type TotalName } from "./schema/tenant-tables.ts";
import { type Database, type Statement, statement, UNLIMITED, value } from "./sql.ts";

export const DEFAULT_LIMITS: RecordLimits = { namespaces: 10_000, policyRules: 100_000, namespaceRules: 1_000 };

/** The part of all rules that only a full admin adds, however many namespaces have admins of their own. */
const RESERVE = 0.1;

/** What may not be exceeded, and the setting of its default. */
const REASONS: Readonly<Record<keyof RecordLimits, readonly [sentence: string, setting: string]>> = {
  memories: ["At most # memories may be on record.", "LIMIT_MEMORIES"],
  textBytes: ["The texts of all memories on record may have at most # bytes.", "LIMIT_TEXT_BYTES"],
  namespaces: ["At most # namespaces may have memories.", "LIMIT_NAMESPACES"],
  policyRules: ["The policy may have at most # rules.", "LIMIT_POLICY_RULES"],
  receipts: ["At most # receipts may be on record.", "LIMIT_RECEIPTS"],
  namespaceRules: [
    "The admins of a namespace may give it at most # rules. A full admin can add one.",
    "LIMIT_NAMESPACE_RULES",
  ],
};

export function limitReached(
  name: keyof RecordLimits,
  { limit, isOwn = false }: { limit: number; isOwn?: boolean },
  cause?: unknown,
) {
  const [sentence, setting] = REASONS[name];
  const raise = isOwn ? `the quota of this tenant (${setting} is the default)` : setting;
  const said = sentence.replace("#", limit.toLocaleString("en"));
  return new PortcullisError("limit-reached", `${said} The operator can raise ${raise}.`, { cause });
}

/** SQL: the tenant's own quota, if any. That of a deleted tenant is 0, for requests that were let in before. */
export const ownQuota = (name: TotalName): string =>
  `(SELECT CASE WHEN deletion IS NULL THEN ${QUOTA_COLUMNS[name]} ELSE 0 END FROM tenants WHERE number = $tenant)`;

/** SQL: the tenant's own quota, or the default, which is the parameter. */
export const quotaOf = (name: TotalName, parameter: string): string =>
  `coalesce(${ownQuota(name)}, CAST(${parameter} AS bigint))`;

export const defaultOf = (name: TotalName, limits: RecordLimits): number => limits[name] ?? UNLIMITED;

/** SQL of an UPDATE of `totals` that adds to one. `parameter` has the default; without it, no quota refuses it. */
export const adding = (name: TotalName, more: string, parameter?: string): string =>
  `value = value + ${more}, excess = ${parameter ? `value + ${more} - ${quotaOf(name, parameter)}` : "0"}`;

const additions = (parameter?: string) =>
  Object.fromEntries(
    TOTALS.map((name) => [
      name,
      statement`UPDATE totals SET ${adding(name, "CAST($1 AS bigint)", parameter)} WHERE tenant = $tenant AND name = '${name}'`,
    ]),
  ) as Readonly<Record<TotalName, ReturnType<typeof statement>>>;
const ADD = additions();
const ADD_UP_TO = additions("$2");

/** Adds to a total, up to the quota; without limits, by any number. */
export const addTo = (name: TotalName, more: number, limits?: RecordLimits): Statement =>
  limits === undefined ? ADD[name](more) : ADD_UP_TO[name](more, defaultOf(name, limits));

/** For `catch`, where something is added to a total. */
export function throwIfLimitReached({ violates, row }: Database, limits: RecordLimits) {
  return async (error: unknown): Promise<never> => {
    const name = TOTALS.find((total) => violates(error, limitOf(total)));
    if (name === undefined) throw error;
    const own = (await row(value<number | null>`SELECT ${ownQuota(name)}`())) ?? undefined;
    throw limitReached(name, { limit: own ?? defaultOf(name, limits), isOwn: own !== undefined }, error);
  };
}

export interface RuleCounts {
  readonly all: number;
  /** Of the namespace. Asked for an admin of the namespace only. */
  inNamespace(): number;
  /** The tenant's own quota of rules. */
  readonly quota: number | null;
}

/** Why the policy may not have one rule more, if it may not. */
export function ruleRefusal(by: PolicyAdmin, counts: RuleCounts, limits: RecordLimits): PortcullisError | undefined {
  const isFull = by === "admin";
  const quota = counts.quota ?? limits.policyRules;
  const limit = isFull ? quota : Math.floor(quota * (1 - RESERVE));
  if (counts.all >= limit) return limitReached("policyRules", { limit, isOwn: counts.quota !== null });
  if (!isFull && counts.inNamespace() >= limits.namespaceRules)
    return limitReached("namespaceRules", { limit: limits.namespaceRules });
  return undefined;
}
