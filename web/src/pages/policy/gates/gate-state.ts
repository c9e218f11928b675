// The states of a gate. A revoked gate was closed by a policy change; one that was never opened is closed by default.
import { isRevoked, type Policy } from "#core/gate/policy.ts";
import type { Leaf } from "#web/policy/use-access.ts";

export type GateState = "open" | "revoked" | "never";

export const GATE_STATE_TEXT = { open: "open", revoked: "revoked", never: "never opened" } as const;

/** Looks up whether a namespace is revoked for an agent. */
export const revokedIn =
  (policy: Policy) =>
  (agentId: string, namespace: string): boolean =>
    isRevoked(policy, agentId, namespace);

export function stateOf({ open, state }: Leaf, isRevoked: boolean): GateState {
  if (open) return "open";
  // A gate that is closing becomes revoked.
  return isRevoked || state === "pending" ? "revoked" : "never";
}

/** The state in words, also while it changes. */
export function noteOf({ state, note }: Leaf, gate: GateState): string {
  return state === "settled" ? GATE_STATE_TEXT[gate] : note;
}
