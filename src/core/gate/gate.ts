// The gate decides what an agent may use, before any model is called. `recall` is its definition. No other file can make
// an AllowedMemory, and prompt.ts takes nothing else.
import { byUtf8 } from "#core/encoding/utf8-order.ts";
import type { Memory } from "#core/memory.ts";
import { foldNearDuplicates } from "#core/recall/near-duplicates.ts";
import { maxPinned, pinnedFirst } from "#core/recall/pins.ts";
import { type Embed, readQuestion } from "#core/recall/question.ts";
import { selectMemories } from "#core/recall/ranking.ts";
import type { Scored } from "#core/recall/why.ts";
import { isWithin } from "./namespace-prefix.ts";
import { isAllowed, type Policy } from "./policy.ts";

declare const passed: unique symbol;

/** A memory that has passed the gate for one agent under one policy. */
export type AllowedMemory = Memory & { readonly [passed]: true };

export interface Recall {
  readonly memories: readonly Scored<AllowedMemory>[];
  /** Every namespace with memories that the agent may not use, whatever the query: a shorter list could be probed. */
  readonly blockedNamespaces: readonly string[];
}

export interface RecallQuery {
  readonly agentId: string;
  readonly query: string;
  /** What "yesterday" in the query counts from. */
  readonly now: Date;
  readonly limit?: number;
  /** Only memories of this namespace, and of those below it. */
  readonly namespacePrefix?: string | undefined;
  readonly embed?: Embed;
}

export const RECALL_LIMIT = 12;
/** The greatest limit that can be configured. */
export const MAX_RECALL_LIMIT = 64;

/** `memories` come oldest first. The service uses the recall index instead, and tests hold it to the same result. */
export function recall(
  { agentId, query, now, limit = RECALL_LIMIT, namespacePrefix, embed = () => undefined }: RecallQuery,
  memories: readonly Memory[],
  policy: Policy,
): Recall {
  const asked = memories.filter(({ namespace }) => isWithin(namespace, namespacePrefix));
  const allowed = admit(agentId, asked, policy).map((memory, sequence) => ({ ...memory, sequence }));
  const selected = selectMemories(readQuestion(query, now, embed), allowed, embed, limit + SPARE);
  const pinned = allowed.flatMap((memory) => (memory.pinned ? memory.sequence : [])).reverse();
  const scored = pinnedFirst(pinned.slice(0, maxPinned(limit)), selected).map(({ sequence, score, why }) => {
    const { sequence: _, ...memory } = allowed[sequence] as (typeof allowed)[number];
    return { ...memory, score, why };
  });
  return {
    memories: foldNearDuplicates(scored).slice(0, limit),
    blockedNamespaces: divide(agentId, new Set(memories.map(({ namespace }) => namespace)), policy).blocked,
  };
}

/** How many memories more than the limit are looked at, to take the places of near-duplicates. */
export const SPARE = 4;

/** The memories that the agent may use, in their order. */
export function admit<M extends Memory>(
  agentId: string,
  memories: readonly M[],
  policy: Policy,
): (M & AllowedMemory)[] {
  return memories.filter((memory): memory is M & AllowedMemory => isAllowed(policy, agentId, memory.namespace));
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
