// The limits of a record store, and what a caller is told who would exceed one.
import { PortcullisError } from "#core/errors.ts";
import type { PolicyAdmin, RecordLimits } from "#ports.ts";

export const DEFAULT_LIMITS: RecordLimits = { namespaces: 10_000, policyRules: 100_000, namespaceRules: 1_000 };

/** The part of all rules that only a full admin adds, however many namespaces have admins of their own. */
const RESERVE = 0.1;

const most = (limit: number) => limit.toLocaleString("en");

const REASONS: Readonly<Record<keyof RecordLimits, (limit: number) => string>> = {
  namespaces: (limit) =>
    `At most ${most(limit)} namespaces may have memories. The operator can raise LIMIT_NAMESPACES.`,
  policyRules: (limit) =>
    `The policy may have at most ${most(limit)} rules. The operator can raise LIMIT_POLICY_RULES.`,
  namespaceRules: (limit) =>
    `The admins of a namespace may give it at most ${most(limit)} rules. A full admin can add one, and the operator can raise LIMIT_NAMESPACE_RULES.`,
};

export function limitReached(limit: keyof RecordLimits, limits: Pick<RecordLimits, typeof limit>, cause?: unknown) {
  return new PortcullisError("limit-reached", REASONS[limit](limits[limit]), { cause });
}

export interface RuleCounts {
  readonly all: number;
  /** Of the namespace. Asked for an admin of the namespace only. */
  inNamespace(): number;
}

/** Why the policy may not have one rule more, if it may not. */
export function ruleRefusal(by: PolicyAdmin, counts: RuleCounts, limits: RecordLimits): PortcullisError | undefined {
  const isFull = by === "admin";
  const policyRules = isFull ? limits.policyRules : Math.floor(limits.policyRules * (1 - RESERVE));
  if (counts.all >= policyRules) return limitReached("policyRules", { ...limits, policyRules });
  if (!isFull && counts.inNamespace() >= limits.namespaceRules) return limitReached("namespaceRules", limits);
  return undefined;
}
