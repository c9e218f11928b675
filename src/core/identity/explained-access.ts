import type { Policy } from "#core/gate/policy.ts";
import { namesInWords } from "#core/names/names-in-words.ts";

export interface ExplainedAccess {
  readonly agentId: string;
  readonly allowedNamespaces: string[];
  readonly revokedNamespaces: string[];
  /** Absent: it may capture into any. */
  readonly captures?: string[];
  /** How many there are, when they are not all listed. */
  readonly allowedCount?: number;
  readonly revokedCount?: number;
}

/** A policy can have more rules than a model can read. */
export const MOST_EXPLAINED = 1_000;

export function explainAccess(agentId: string, policy: Policy, captures: string[] | undefined): ExplainedAccess {
  const rules = Object.entries(Object.hasOwn(policy, agentId) ? (policy[agentId] ?? {}) : {});
  const named = (wanted: boolean) => rules.flatMap(([name, allowed]) => (allowed === wanted ? [name] : [])).sort();
  const [allowed, revoked] = [named(true), named(false)];
  return {
    agentId,
    allowedNamespaces: allowed.slice(0, MOST_EXPLAINED),
    revokedNamespaces: revoked.slice(0, MOST_EXPLAINED),
    ...(captures !== undefined && { captures }),
    ...(allowed.length > MOST_EXPLAINED && { allowedCount: allowed.length }),
    ...(revoked.length > MOST_EXPLAINED && { revokedCount: revoked.length }),
  };
}

export function accessInWords(access: ExplainedAccess): string {
  const { agentId, allowedNamespaces, revokedNamespaces, captures, allowedCount, revokedCount } = access;
  return [
    `You are the agent ${agentId}.`,
    `You may use: ${namesInWords(allowedNamespaces, allowedCount)}`,
    `Closed to you: ${namesInWords(revokedNamespaces, revokedCount)}, and any other.`,
    `You may remember facts in: ${captures === undefined ? "any namespace" : namesInWords(captures)}`,
  ].join("\n");
}
