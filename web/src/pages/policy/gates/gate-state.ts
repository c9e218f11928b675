// What a gate of the matrix can be. Closed by a decision is not the same as never opened, though neither lets through.
import { type Policy, revokedNamespaces } from "#core/gate/policy.ts";
import type { Leaf } from "#web/policy/use-access.ts";

export type GateState = "open" | "revoked" | "never";

export const WORDS = { open: "open", revoked: "revoked", never: "never opened" } as const;

/** By agent, which namespaces were closed by a decision. */
export function revokedIn(policy: Policy): (agentId: string, namespace: string) => boolean {
  const byAgent = new Map(
    Object.keys(policy).map((agentId) => [agentId, new Set(revokedNamespaces(policy, agentId))] as const),
  );
  return (agentId, namespace) => byAgent.get(agentId)?.has(namespace) === true;
}

export function stateOf({ open, state }: Leaf, isRevoked: boolean): GateState {
  if (open) return "open";
  // A closing one will be revoked, whatever it was before.
  return isRevoked || state === "pending" ? "revoked" : "never";
}

/** In words, as it stands and as it goes. */
export function noteOf({ open, state, note, version }: Leaf, gate: GateState): string {
  if (state === "final") return `${open ? "open" : "closed"} · final${version === undefined ? "" : `, v${version}`}`;
  return state === "settled" ? WORDS[gate] : note;
}
