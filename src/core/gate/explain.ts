// Explains a recall: what an agent would be given for a question, and what keeps other memories from it. Each list is made
// by `recallFrom`, as for an answer: as it is, with more places, and with every gate open. What comes out is no
// AllowedMemory, so that nothing of it can reach a prompt. It is for whoever governs the namespaces: it quotes what is closed.
import type { Memory } from "#core/memory.ts";
import type { WeightedTerm } from "#core/recall/bm25.ts";
import type { Question } from "#core/recall/question.ts";
import type { RankedCandidate, Why } from "#core/recall/rerank.ts";
import { rounded, whyOf } from "#core/recall/selection.ts";
import type { AskedQuestion, Division, Search } from "./gate.ts";
import { MAX_RECALL_LIMIT, recallAmong, recallFrom, relevanceIn } from "./gate.ts";
import { isAllowed, isRevoked, type Policy, policyFrom } from "./policy.ts";

/** What becomes of a memory: the first is given, and each of the others is not. docs/gate.md says what they mean. */
export const FATES = [
  ...(["given", "held-back", "below-limit", "near-duplicate", "not-relevant"] as const),
  ...(["superseded", "expired", "forgotten"] as const),
] as const;

export interface Explained {
  readonly memory: Memory;
  readonly fate: Exclude<(typeof FATES)[number], "expired" | "forgotten">;
  /** From 1: among those that are given and, after them, those below the limit; else among all that were ranked. */
  readonly rank?: number;
  /** Why it is held back: somebody closed the gate, or nobody ever opened it. */
  readonly gate?: "revoked" | "blocked";
  readonly relevance: number;
  readonly why: Why;
  /** The terms of `why`, each with what it weighs among the memories that were searched. */
  readonly terms: readonly Pick<WeightedTerm, "term" | "weight">[];
}

export interface ExplainedSearch extends Search {
  /** All candidates, best first: the ranking before the floor. */
  rank(question: Question, namespaces: readonly string[]): Generator<unknown, readonly RankedCandidate[]>;
  /** The newest superseded memories of these namespaces, oldest first. */
  history(namespaces: readonly string[]): Generator<unknown, readonly Memory[]>;
}

/** Those that are given come first, in their order. `wanted` is explained in any case. */
export function* explainFrom(
  search: ExplainedSearch,
  asked: AskedQuestion,
  policy: Policy,
  division: Division,
  wanted?: Memory,
): Generator<unknown, readonly Explained[]> {
  const { agentId, question, limit, embed } = asked;
  const { allowed } = division;
  const all = [...allowed, ...division.blocked];
  const read = new Map<string, { readonly sequence: number; readonly memory: Memory }>();
  const noting: Search = {
    ...search,
    *read(sequences) {
      const found = yield* search.read(sequences);
      for (const [sequence, memory] of found) read.set(memory.memoryId, { sequence, memory });
      return found;
    },
  };
  const explained = new Map<string, Explained>();

  function* rankIn(namespaces: readonly string[]): Generator<unknown, readonly RankedCandidate[]> {
    return question.isAboutEverything ? [] : yield* search.rank(question, namespaces);
  }
  type Found = Memory & Partial<Pick<Explained, "relevance" | "why">>;
  function add(found: Found, ranked: readonly RankedCandidate[], rest: Pick<Explained, "fate" | "rank" | "gate">) {
    const { why: given, relevance: known, ...memory } = found;
    if (explained.has(memory.memoryId)) return;
    const candidate = ranked.find(({ sequence }) => sequence === read.get(memory.memoryId)?.sequence);
    const relevance = known ?? relevanceIn(question, memory, embed);
    const why = given ?? (candidate ? whyOf(candidate) : {});
    const terms = candidate?.terms.filter(({ isContent }) => isContent) ?? [];
    const weighted = terms.map(({ term, weight }) => ({ term, weight: rounded(weight) }));
    explained.set(memory.memoryId, { memory, relevance, why, terms: weighted, ...rest });
  }

  const { memories: given } = yield* recallFrom(noting, asked, policy, division);
  const { memories: more } = yield* recallFrom(noting, { ...asked, limit: MAX_RECALL_LIMIT }, policy, division);
  const found = [...read.values()];
  const ranked = yield* rankIn(allowed);
  for (const [i, memory] of given.entries()) add(memory, ranked, { fate: "given", rank: i + 1 });
  for (const memory of more) add(memory, ranked, { fate: "below-limit", rank: explained.size + 1 });
  for (const { memory } of found) add(memory, ranked, { fate: "near-duplicate" });

  const open = policyFrom(all.map((namespace) => ({ agentId, namespace, allowed: true })));
  const { memories: ungated } = yield* recallFrom(noting, asked, open, { allowed: all, blocked: [] });
  const rankedOpen = yield* rankIn(all);
  const heldBack = ({ namespace }: Memory) =>
    ({ fate: "held-back", gate: isRevoked(policy, agentId, namespace) ? "revoked" : "blocked" }) as const;
  for (const memory of ungated)
    if (!isAllowed(policy, agentId, memory.namespace)) add(memory, rankedOpen, heldBack(memory));

  const history = yield* search.history(allowed);
  const { memories: former } = yield* recallAmong(history, asked, policy, division);
  for (const memory of former) if (memory.why.terms ?? memory.why.date) add(memory, [], { fate: "superseded" });

  if (wanted !== undefined && !explained.has(wanted.memoryId)) {
    const isOpen = isAllowed(policy, agentId, wanted.namespace);
    const among = isOpen ? ranked : rankedOpen;
    if (!read.has(wanted.memoryId)) yield* noting.read(among.map(({ sequence }) => sequence));
    const place = among.findIndex(({ sequence }) => sequence === read.get(wanted.memoryId)?.sequence);
    const unfound = question.isAboutEverything ? "below-limit" : "not-relevant";
    if (wanted.supersededBy !== undefined) add(wanted, [], { fate: "superseded" });
    else if (!isOpen) add(wanted, among, heldBack(wanted));
    else add(wanted, among, { fate: unfound, ...(place >= 0 && { rank: place + 1 }) });
  }
  return [...explained.values()].filter(
    ({ fate, rank = 0, memory }) => fate !== "below-limit" || rank <= 2 * limit || memory.memoryId === wanted?.memoryId,
  );
}
