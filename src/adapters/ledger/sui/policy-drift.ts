// How the policy on the chain differs from ours.
import { type AccessRule, isAllowed, type Policy, rulesOf } from "#core/gate/policy.ts";
import type { RecordStore } from "#ports.ts";
import type { ChainState } from "./chain-reader.ts";

/** Compares the policies only when one of them has changed: they may be large, and anchors come often. */
export function createDriftReader({ policy }: Pick<RecordStore, "policy">) {
  let last: { readonly ours: number; readonly access: Policy; readonly drift: readonly AccessRule[] } | undefined;

  return async ({ access }: Pick<ChainState, "access">): Promise<readonly AccessRule[]> => {
    if (last?.access === access && last.ours === (await policy.version())) return last.drift;
    const current = await policy.current();
    last = { ours: current.version, access, drift: policyDrift(current.policy, access) };
    return last.drift;
  };
}

/** The changes that make the chain's access table equal to the policy. The chain stores only what is allowed. */
function policyDrift(policy: Policy, access: Policy): AccessRule[] {
  const allowed = rulesOf(policy).filter((rule) => rule.allowed);
  return [
    ...allowed.filter(({ agentId, namespace }) => !isAllowed(access, agentId, namespace)),
    ...rulesOf(access)
      .filter(({ agentId, namespace }) => !isAllowed(policy, agentId, namespace))
      .map((rule) => ({ ...rule, allowed: false })),
  ];
}
