// The gate: what an agent may use, decided before any model is called. `recall` is its definition.
// Nothing outside this file can make an AllowedMemory, and prompt.ts takes nothing else.
import type { Memory } from "#core/memory.ts";
import { best } from "#core/recall/bm25.ts";
import { isAllowed, type Policy } from "./policy.ts";

declare const passed: unique symbol;

/** A memory that has passed the gate for one agent under one policy. */
export type AllowedMemory = Memory & { readonly [passed]: true };

export interface Recall {
  readonly memories: readonly AllowedMemory[];
  /** Every namespace with memories that the agent may not use, whatever the query: anything less could be probed. */
  readonly blockedNamespaces: readonly string[];
}

export const RECALL_LIMIT = 12;

/** `memories` come oldest first. What a deployment runs is the indexed form of this, held to the same result by test. */
export function recall(
  agentId: string,
  query: string,
  memories: readonly Memory[],
  policy: Policy,
  limit = RECALL_LIMIT,
): Recall {
  const namespaces = new Set(memories.map(({ namespace }) => namespace));
  return {
    memories: best(query, admit(agentId, memories, policy), limit),
    blockedNamespaces: divide(agentId, namespaces, policy).blocked,
  };
}

/** Lets through the memories that the agent may use, in their order. */
export function admit(agentId: string, memories: readonly Memory[], policy: Policy): AllowedMemory[] {
  return memories.filter((memory): memory is AllowedMemory => isAllowed(policy, agentId, memory.namespace));
}

/** The namespaces that the agent may use and the others, each sorted by code unit. */
export function divide(
  agentId: string,
  namespaces: Iterable<string>,
  policy: Policy,
): { allowed: string[]; blocked: string[] } {
  const sorted = [...namespaces].sort();
  return {
    allowed: sorted.filter((namespace) => isAllowed(policy, agentId, namespace)),
    blocked: sorted.filter((namespace) => !isAllowed(policy, agentId, namespace)),
  };
}
