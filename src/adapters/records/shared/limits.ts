// The limits of a record store, and what a caller is told who would exceed one.
import { PortcullisError } from "#core/errors.ts";
import type { PolicyAdmin, RecordLimits } from "#ports.ts";

export const DEFAULT_LIMITS: RecordLimits = { namespaces: 10_000, policyLeaves: 100_000, namespaceLeaves: 1_000 };

/** The part of all leaves that only a full admin adds, however many namespaces have admins of their own. */
const RESERVE = 0.1;

const most = (limit: number) => limit.toLocaleString("en");

const REASONS: Readonly<Record<keyof RecordLimits, (limit: number) => string>> = {
  namespaces: (limit) =>
    `There are ${most(limit)} namespaces with memories, and this would be another one. The operator can raise LIMIT_NAMESPACES.`,
  policyLeaves: (limit) =>
    `The policy may have ${most(limit)} leaves, and would have more. The operator can raise LIMIT_POLICY_LEAVES.`,
  namespaceLeaves: (limit) =>
    `The admins of a namespace may give it ${most(limit)} leaves, and it would have more. A full admin can add one, and the operator can raise LIMIT_NAMESPACE_LEAVES.`,
};

export function limitReached(limit: keyof RecordLimits, limits: Pick<RecordLimits, typeof limit>, cause?: unknown) {
  return new PortcullisError("limit-reached", REASONS[limit](limits[limit]), { cause });
}

/** How many leaves there are. */
export interface LeafCounts {
  readonly all: number;
  /** Of the namespace. Asked for an admin of the namespace only. */
  inNamespace(): number;
}

/** Why the policy may not have one leaf more, if it may not. */
export function leafRefusal(by: PolicyAdmin, counts: LeafCounts, limits: RecordLimits): PortcullisError | undefined {
  const isFull = by === "admin";
  const policyLeaves = isFull ? limits.policyLeaves : Math.floor(limits.policyLeaves * (1 - RESERVE));
  if (counts.all >= policyLeaves) return limitReached("policyLeaves", { ...limits, policyLeaves });
  if (!isFull && counts.inNamespace() >= limits.namespaceLeaves) return limitReached("namespaceLeaves", limits);
  return undefined;
}
