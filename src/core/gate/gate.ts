// The gate decides what an agent may use, before any model is called. `recallFrom` is all of it, for the service and for
// `recall`. No other file can make an AllowedMemory, and prompt.ts takes nothing else.
import { orUndefined } from "#core/defined.ts";
import { byUtf8 } from "#core/encoding/utf8-order.ts";
import { passes, type RecallFilters } from "#core/memories/fact-filter.ts";
import type { Memory } from "#core/memory.ts";
import type { SearchedText } from "#core/recall/conversation.ts";
import { similarity } from "#core/recall/meaning/word-vectors.ts";
import { foldNearDuplicates } from "#core/recall/near-duplicates.ts";
import { pinnedFirst } from "#core/recall/pins.ts";
import { type Embed, type Question, readQuestion } from "#core/recall/question.ts";
import { createRecallIndex } from "#core/recall/recall-index.ts";
import { relevanceOf } from "#core/recall/relevance.ts";
import type { Scored } from "#core/recall/rerank.ts";
import type { Selected } from "#core/recall/selection.ts";
import { isAllowed, isWithin, type Policy } from "./policy.ts";

declare const passed: unique symbol;

/** A memory that has passed the gate for one agent under one policy. */
export type AllowedMemory = Memory & { readonly [passed]: true };

export interface Recall {
  readonly memories: readonly Scored<AllowedMemory>[];
  /** Every namespace with memories that the agent may not use, whatever the query: a shorter list could be probed. */
  readonly blockedNamespaces: readonly string[];
}

/** Namespaces with memories, each list in UTF-8 order. */
export interface Division {
  readonly allowed: readonly string[];
  readonly blocked: readonly string[];
}

/** Where a recall looks. A memory is named by the sequence of its capture. */
export interface Search {
  /** The pinned memories of these namespaces that a recall of `limit` memories holds, newest first. */
  pinned(namespaces: readonly string[], limit: number): readonly number[];
  /** The memories of these namespaces that an answer is given, best first, `limit` at most. */
  search(question: Question, namespaces: readonly string[], limit: number): Generator<unknown, readonly Selected[]>;
  /** Memories by their sequences. One that is gone meanwhile is left out. */
  read(sequences: readonly number[]): Generator<unknown, ReadonlyMap<number, Memory>>;
}

export interface RecallBounds extends RecallFilters {
  readonly limit?: number | undefined;
  /** What is searched for, in place of the question. */
  readonly searched?: SearchedText | undefined;
  /** Whether the relevance of each memory is wanted, for which its words are read once more. */
  readonly isRated?: boolean | undefined;
}

/** How many memories more than the limit are looked at, to take the places of near-duplicates. */
const SPARE = 4;

export interface AskedQuestion extends RecallBounds {
  readonly agentId: string;
  readonly question: Question;
  readonly limit: number;
  readonly embed: Embed;
}

/** What is read of long texts before it yields. */
const CHARACTERS_PER_SLICE = 8_000;

/** Yields where it may pause. The policy is at least the agent's part, and the division what it makes of all namespaces. */
export function* recallFrom(
  { pinned, search, read: readAt }: Search,
  {
    agentId,
    question,
    limit,
    namespacePrefix,
    minRelevance,
    isRated = minRelevance !== undefined,
    embed,
  }: AskedQuestion,
  policy: Policy,
  { allowed, blocked }: Division,
): Generator<unknown, Recall> {
  const searched =
    namespacePrefix === undefined ? allowed : allowed.filter((namespace) => isWithin(namespace, namespacePrefix));
  const first = pinned(searched, limit);
  const selected = pinnedFirst(first, yield* search(question, searched, limit + SPARE));
  const found = yield* readAt(selected.map(({ sequence }) => sequence));
  const memories: Scored<Memory>[] = [];
  let read = 0;
  for (const { sequence, score, why, meaning } of selected) {
    const memory = found.get(sequence);
    if (memory === undefined) continue;
    read += memory.content.length;
    if (read > CHARACTERS_PER_SLICE) yield;
    if (read > CHARACTERS_PER_SLICE) read = 0;
    const rated = isRated ? { relevance: relevanceIn(question, memory, embed, meaning) } : undefined;
    const isRelevant = rated === undefined || rated.relevance >= (minRelevance ?? 0);
    if (why.pinned || isRelevant) memories.push({ ...memory, score, ...rated, why });
  }
  // Only allowed namespaces were searched. What was then read passes the gate all the same.
  const distinct = yield* foldNearDuplicates(admit(agentId, memories, policy));
  return { memories: distinct.slice(0, limit), blockedNamespaces: blocked };
}

/** One that cannot be embedded is given all the same, if nothing but its being new speaks for it. */
export function relevanceIn(question: Question, memory: Memory, embed: Embed, meaning?: number): number {
  const close =
    meaning ??
    similarity(
      orUndefined(() => embed(memory.content)),
      question.vector,
    );
  return relevanceOf(question, memory, close);
}

export interface RecallQuery extends RecallBounds {
  readonly agentId: string;
  readonly query: string;
  /** What "yesterday" in the query counts from. */
  readonly now: Date;
  readonly embed?: Embed;
}

export const RECALL_LIMIT = 12;
/** The greatest limit that can be configured. */
export const MAX_RECALL_LIMIT = 64;

/** The gate over these memories, which come oldest first. */
export function recall(
  { agentId, query, now, limit = RECALL_LIMIT, embed = () => undefined, ...bounds }: RecallQuery,
  memories: readonly Memory[],
  policy: Policy,
): Recall {
  const divided = divide(agentId, new Set(memories.map(({ namespace }) => namespace)), policy);
  const asked = { isRated: true, ...bounds, agentId, question: readQuestion(query, now, embed), limit, embed };
  const matching = memories.filter((memory) => passes(bounds, memory));
  return completed(recallAmong(matching, asked, policy, divided));
}

/** The gate over memories that are at hand, oldest first: those that a filter lets pass. */
export function* recallAmong(
  memories: readonly Memory[],
  asked: AskedQuestion,
  policy: Policy,
  division: Division,
): Generator<unknown, Recall> {
  return yield* recallFrom(yield* searchAmong(memories, asked.embed), asked, policy, division);
}

type RankedSearch = Search & Pick<ReturnType<typeof createRecallIndex>, "rank">;

export function* searchAmong(memories: readonly Memory[], embed: Embed): Generator<void, RankedSearch> {
  const index = createRecallIndex({ embed });
  for (const [sequence, memory] of memories.entries()) {
    const { namespace, pinned } = memory;
    yield;
    const captured = { kind: "captured", sequence, ...memory } as const;
    try {
      index.apply(captured);
    } catch {
      // As in the index of the service: without its text it can still be one of the newest.
      index.apply({ ...captured, content: "" });
    }
    if (pinned) index.apply({ kind: "pinned", sequence, namespace, captured: sequence, pinned });
  }
  return {
    ...index,
    *read(sequences) {
      return new Map(sequences.map((sequence) => [sequence, memories[sequence] as Memory]));
    },
  };
}

export function admit<M extends Memory>(
  agentId: string,
  memories: readonly M[],
  policy: Policy,
): (M & AllowedMemory)[] {
  return memories.filter((memory): memory is M & AllowedMemory => isAllowed(policy, agentId, memory.namespace));
}

export function divide(agentId: string, namespaces: Iterable<string>, policy: Policy): Division {
  const sorted = [...namespaces].sort(byUtf8);
  return {
    allowed: sorted.filter((namespace) => isAllowed(policy, agentId, namespace)),
    blocked: sorted.filter((namespace) => !isAllowed(policy, agentId, namespace)),
  };
}

/** The result of a generator, without a pause where it yields: for the definitions, which are synchronous. */
export function completed<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
