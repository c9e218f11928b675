// The states of a gate. A revoked gate was closed by a policy change; one that was never opened is closed by default.
import { type Policy, revokedNamespaces } from "#core/gate/policy.ts";
import type { Leaf } from "#web/policy/use-access.ts";

export type GateState = "open" | "revoked" | "never";

export const GATE_STATE_TEXT = { open: "open", revoked: "revoked", never: "never opened" } as const;

/** Looks up whether a namespace is revoked for an agent. */
export function revokedIn(policy: Policy): (agentId: string, namespace: string) => boolean {
  const byAgent = new Map(
    Object.keys(policy).map((agentId) => [agentId, new Set(revokedNamespaces(policy, agentId))] as const),
  );
  return (agentId, namespace) => byAgent.get(agentId)?.has(namespace) === true;
}

export function stateOf({ open, state }: Leaf, isRevoked: boolean): GateState {
  if (open) return "open";
  // A gate that is closing becomes revoked.
  return isRevoked || state === "pending" ? "revoked" : "never";
}

/** The state in words, also while it changes. */
export function noteOf({ open, state, note, version }: Leaf, gate: GateState): string {
  if (state === "final") return `${open ? "open" : "closed"} · final${version === undefined ? "" : `, v${version}`}`;
  return state === "settled" ? GATE_STATE_TEXT[gate] : note;
}
