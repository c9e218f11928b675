// The gate decides what an agent may use, before any model is called. `recall` is its definition. No other file can make
// an AllowedMemory, and prompt.ts takes nothing else.
import { byUtf8 } from "#core/encoding/utf8-order.ts";
import type { Memory } from "#core/memory.ts";
import { bestMemories } from "#core/recall/ranking.ts";
import { isAllowed, type Policy } from "./policy.ts";

declare const passed: unique symbol;

/** A memory that has passed the gate for one agent under one policy. */
export type AllowedMemory = Memory & { readonly [passed]: true };

export interface Recall {
  readonly memories: readonly AllowedMemory[];
  /** Every namespace with memories that the agent may not use, whatever the query: a shorter list could be probed. */
  readonly blockedNamespaces: readonly string[];
}

export const RECALL_LIMIT = 12;

/** `memories` come oldest first. The service uses the recall index instead, and tests hold it to the same result. */
export function recall(
  agentId: string,
  query: string,
  memories: readonly Memory[],
  policy: Policy,
  limit = RECALL_LIMIT,
): Recall {
  const namespaces = new Set(memories.map(({ namespace }) => namespace));
  return {
    memories: bestMemories(query, admit(agentId, memories, policy), limit),
    blockedNamespaces: divide(agentId, namespaces, policy).blocked,
  };
}

/** The memories that the agent may use, in their order. */
export function admit(agentId: string, memories: readonly Memory[], policy: Policy): AllowedMemory[] {
  return memories.filter((memory): memory is AllowedMemory => isAllowed(policy, agentId, memory.namespace));
}

/** The namespaces that the agent may use, and the others, each in UTF-8 order. */
export function divide(
  agentId: string,
  namespaces: Iterable<string>,
  policy: Policy,
): { allowed: string[]; blocked: string[] } {
  const sorted = [...namespaces].sort(byUtf8);
  return {
    allowed: sorted.filter((namespace) => isAllowed(policy, agentId, namespace)),
    blocked: sorted.filter((namespace) => !isAllowed(policy, agentId, namespace)),
  };
}
