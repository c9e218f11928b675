// The gate at work: `recallFrom` of core/gate/gate.ts over the index and the records, and a search by meaning alone.
import { runInSlices } from "#async/run-in-slices.ts";
import { EXPIRY } from "#core/activity-kind.ts";
import { admit, type Recall, type RecallBounds, recallFrom, type Search } from "#core/gate/gate.ts";
import type { Memory } from "#core/memory.ts";
import { closestOfRanked } from "#core/recall/index/scans.ts";
import { type Embed, readQuestion } from "#core/recall/question.ts";
import type { Decision, RecordStore } from "#ports.ts";
import type { MemoryIndex } from "./memory-index.ts";
import type { SentenceVectors } from "./sentence-vectors.ts";

/** The access of an agent as the gate found it, apart from the memories. */
export interface AgentAccess extends Pick<Recall, "blockedNamespaces"> {
  readonly agentId: string;
  readonly query: string;
  /** Every namespace with memories that the agent may use. */
  readonly allowedNamespaces: readonly string[];
  readonly policyVersion: number;
  /** How often memories had been removed (`Snapshot`). */
  readonly removals: number;
  readonly policyDigest: string;
  /** The namespaces with a rule of `false` for this agent. */
  readonly revoked: readonly string[];
  /** Whether the question is kept with the receipt; as the settings say when it is left out. */
  readonly keepsQuestion?: boolean;
  /** Whether an encrypted memory was recalled for this question. */
  readonly recalledEncrypted?: boolean;
  /** Whether an attempt before this one used memories that were withdrawn since. */
  readonly isAgain?: boolean;
}

export interface GateView extends AgentAccess, Recall {}

/** The part of the gate that gives memories. Only an attempt has it, because only an attempt carries the fence. */
export interface RecallGate {
  /** The limit is at most that of an answer, which counts when it is left out. */
  recall(agentId: string, query: string, bounds?: RecallBounds): Promise<GateView>;
}

export type Among = { readonly agentId: string } | { readonly namespaces: readonly string[] | undefined };

export interface CloseMemory extends Pick<Memory, "memoryId" | "namespace" | "expiresAt"> {
  /** Up to 1. */
  readonly score: number;
}

export interface MeaningSearch {
  /**
   * The memories whose meaning is closest to this text, closest first: of those that the agent may use, or of some
   * namespaces, or of all. What an agent is told of them must leave behind the fence.
   */
  closest(text: string, among: Among, limit: number): Promise<readonly CloseMemory[]>;
}

export interface SearchOptions {
  readonly limit: number;
  readonly embed?: Embed | undefined;
  readonly sentences?: Pick<SentenceVectors, "questionVector"> | undefined;
  readonly now?: () => Date;
}

/** How much of a text is compared with others. */
const COMPARED_CHARACTERS = 1_000;

/** How many expired memories one step forgets. */
export const EXPIRED_AT_ONCE = 500;

/** How often a recall searches again because memories that it found were removed, or expired, before it read them. */
const MAX_SEARCHES = 3;

export function createSearch(
  { memories }: Pick<RecordStore, "memories">,
  index: Pick<MemoryIndex, "whenCaughtUp" | "pinned" | "search" | "rank" | "namespaces">,
  { limit: maxLimit, embed = () => undefined, sentences, now = () => new Date() }: SearchOptions,
): RecallGate & MeaningSearch {
  /** One search. `missing` counts the memories that it found in the index and not on record. */
  function searchOnce() {
    const counted = { missing: 0 };
    const search: Search = {
      pinned: index.pinned,
      search: index.search,
      *read(sequences) {
        const found = (yield memories.at(sequences)) as Awaited<ReturnType<typeof memories.at>>;
        counted.missing = sequences.length - found.size;
        return found;
      },
    };
    return { search, counted };
  }

  return {
    async recall(agentId, query, { limit = maxLimit, namespacePrefix, searched = query } = {}) {
      const sentenceVector = await sentences?.questionVector(searched);
      const asked = { agentId, question: { ...readQuestion(searched, now(), embed), sentenceVector } };
      for (let searches = 1; ; searches++) {
        const { search, counted } = searchOnce();
        const view = await index.whenCaughtUp(agentId, async ({ policy, allowed, blocked, ...state }) => ({
          ...state,
          agentId,
          query,
          allowedNamespaces: allowed,
          ...(await runInSlices(
            recallFrom(search, { ...asked, limit, namespacePrefix }, policy, { allowed, blocked }),
          )),
        }));
        if (counted.missing === 0 || searches === MAX_SEARCHES) return view;
        // What has expired takes the places of others, so it is swept before the next search.
        await memories.forgetExpired(EXPIRED_AT_ONCE, expiryDecision(view.policyVersion)).catch(() => undefined);
      }
    },

    async closest(text, among, limit) {
      const question = readQuestion(text.slice(0, COMPARED_CHARACTERS), now(), embed);
      const rank = async (namespaces: readonly string[]) => {
        const ranked = await runInSlices(index.rank(question, namespaces));
        return closestOfRanked(ranked, limit);
      };
      const { policy, closest } =
        "agentId" in among
          ? await index.whenCaughtUp(among.agentId, async ({ policy, allowed }) => ({
              policy,
              closest: await rank(allowed),
            }))
          : { policy: undefined, closest: await rank(among.namespaces ?? index.namespaces()) };
      const found = await memories.at(closest.map(({ sequence }) => sequence));
      const scored = closest.flatMap(({ sequence, meaning }) => {
        const memory = found.get(sequence);
        return memory === undefined ? [] : { ...memory, score: round(meaning) };
      });
      // As in a recall: what the records gave passes the gate.
      const given = "agentId" in among && policy !== undefined ? admit(among.agentId, scored, policy) : scored;
      return given.map(({ memoryId, namespace, expiresAt, score }) => ({
        memoryId,
        namespace,
        ...(expiresAt !== undefined && { expiresAt }),
        score,
      }));
    },
  };
}

const round = (score: number): number => Math.round(score * 10_000) / 10_000;

/** For memories that expired: nobody called. The store adds the time, and how many there were. */
export const expiryDecision = (policyVersion: number): Decision => ({
  at: "",
  principalId: "service",
  principalName: "service",
  role: "service",
  route: EXPIRY,
  policyVersion,
  outcome: "changed",
  details: { cause: "expired" },
});
