// The gate at work: `recallFrom` of core/gate/gate.ts over the index and the records, and a search by meaning alone.
import { setImmediate as nextTurn } from "node:timers/promises";
import { runInSlices } from "#async/run-in-slices.ts";
import { EXPIRY } from "#core/activity-kind.ts";
import { defined } from "#core/defined.ts";
import { type ExplainedSearch, explainFrom } from "#core/gate/explain.ts";
import { admit, type Recall, type RecallBounds, recallAmong, recallFrom } from "#core/gate/gate.ts";
import { isWithin } from "#core/gate/policy.ts";
import { givenFilters, passes, type RecallFilters, readsDetails, wasCurrent } from "#core/memories/fact-filter.ts";
import { type Memory, spanOf } from "#core/memory.ts";
import { type SearchedText, withNames } from "#core/recall/conversation.ts";
import { closestOfRanked } from "#core/recall/index/scans.ts";
import { type Embed, readQuestion } from "#core/recall/question.ts";
import type { Decision, RecordStore } from "#ports.ts";
import type { AgentPolicy } from "#service/policy/policy-mirror.ts";
import type { MemoryIndex } from "./memory-index.ts";
import type { SentenceVectors } from "./sentence-vectors.ts";

/** The access of an agent as the gate found it, apart from the memories. */
export interface AgentAccess extends Pick<Recall, "blockedNamespaces"> {
  readonly agentId: string;
  readonly query: string;
  readonly allowedNamespaces: readonly string[];
  readonly policyVersion: number;
  /** How often memories had been removed (`Snapshot`). */
  readonly removals: number;
  readonly policyDigest: string;
  readonly revoked: readonly string[];
  /** What the caller narrowed the recall by, if anything. */
  readonly filters?: RecallFilters | undefined;
  /** Whether the question is kept with the receipt; as the settings say when it is left out. */
  readonly keepsQuestion?: boolean;
  /** Whether an encrypted memory was recalled for this question. */
  readonly recalledEncrypted?: boolean;
  /** Whether an attempt before this one used memories that were withdrawn since. */
  readonly isAgain?: boolean;
}

export interface GateView extends AgentAccess, Recall {
  /** The filter was applied to the newest memories alone: there are too many. */
  readonly isPartial?: boolean;
  /** Memories that were superseded are given on purpose. */
  readonly allowsSuperseded?: boolean;
}

/** The part of the gate that gives memories. Only an attempt has it, because only an attempt carries the fence. */
export type RecallGate = Pick<ReturnType<typeof createSearch>, "recall">;
/** What any service may ask. */
export type OpenSearch = Omit<ReturnType<typeof createSearch>, "recall">;

type Among = { readonly agentId: string } | { readonly namespaces: readonly string[] | undefined };

export interface ToExplain {
  readonly agentId: string;
  readonly query: string;
  readonly limit?: number | undefined;
  /** Only these, as if there were no others; all when left out. */
  readonly namespaces?: readonly string[] | undefined;
  /** Explained in any case. */
  readonly wanted?: Memory | undefined;
}

export interface SearchOptions {
  readonly limit: number;
  readonly embed?: Embed | undefined;
  readonly sentences?: Pick<SentenceVectors, "questionVector"> | undefined;
  readonly now?: () => Date;
}

/** How much of a text is compared with others. */
const COMPARED_CHARACTERS = 1_000;

export const EXPIRED_AT_ONCE = 500;

/** How often a recall searches again because memories that it found were removed, or expired, before it read them. */
const MAX_SEARCHES = 3;

/** How many memories a filter reads for one recall, and how many that pass are ranked: the newest. */
const MOST_READ = 20_000;
const MOST_RANKED = 5_000;
/** How many are read in one turn of the event loop. */
const PAGE = 125;
/** So many are read each from its own index. */
const NAMESPACES_A_READ = 64;

const byCapture = (a: Memory, b: Memory): number =>
  a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.memoryId < b.memoryId) ? -1 : 1;

export function createSearch(
  { memories, transfer }: Pick<RecordStore, "memories" | "transfer">,
  index: Pick<MemoryIndex, "catchUp" | "whenCaughtUp" | "pinned" | "search" | "rank" | "namespaces">,
  { limit: maxLimit, embed = () => undefined, sentences, now = () => new Date() }: SearchOptions,
) {
  /** One search. `missing` counts the memories that it found in the index and not on record. */
  function searchOnce() {
    const counted = { missing: 0 };
    const search: ExplainedSearch = {
      pinned: index.pinned,
      search: index.search,
      rank: index.rank,
      *read(sequences) {
        const found = (yield memories.at(sequences)) as Awaited<ReturnType<typeof memories.at>>;
        counted.missing += sequences.length - found.size;
        return found;
      },
      *history(allowed) {
        if (allowed.length === 0) return [];
        const query = { namespaces: allowed.slice(0, NAMESPACES_A_READ), superseded: true, limit: PAGE };
        const page = (yield memories.page(query)) as Awaited<ReturnType<typeof memories.page>>;
        return page.memories.toReversed();
      },
    };
    return { search, counted };
  }

  /** Searches, and again when memories that were found were removed, or expired, before they were read. */
  async function searchAndRead<T>(
    agentId: string,
    run: (search: ExplainedSearch, state: AgentPolicy) => Generator<unknown, T>,
  ): Promise<T> {
    for (let searches = 1; ; searches++) {
      const { search, counted } = searchOnce();
      const { result, policyVersion } = await index.whenCaughtUp(agentId, async (state) => ({
        policyVersion: state.policyVersion,
        result: await runInSlices(run(search, state)),
      }));
      if (counted.missing === 0 || searches === MAX_SEARCHES) return result;
      // What has expired takes the places of others, so it is swept before the next search.
      await memories.forgetExpired(EXPIRED_AT_ONCE, expiryDecision(policyVersion)).catch(() => undefined);
    }
  }

  async function read({ query, messages = [], hasManySubjects }: SearchedText) {
    const sentenceVector = await sentences?.questionVector(withNames(query, messages));
    return { ...readQuestion(query, now(), embed, messages), sentenceVector, hasManySubjects };
  }

  /** What a filter lets pass of these namespaces, oldest first. It reads no others, and so their size tells nothing. */
  async function matching(namespaces: readonly string[], bounds: RecallBounds) {
    const { asOf } = bounds;
    const found: Memory[] = [];
    let left = MOST_READ;
    for (const superseded of asOf === undefined ? [false] : [false, true])
      for (let from = 0; from < namespaces.length; from += NAMESPACES_A_READ) {
        const query = { namespaces: namespaces.slice(from, from + NAMESPACES_A_READ), superseded, limit: PAGE };
        let before: number | undefined;
        do {
          const page = await memories.page({ ...query, before });
          found.push(...(await currentAt(asOf, page.memories)).filter((memory) => passes(bounds, memory)));
          left -= page.memories.length;
          before = page.next;
          await nextTurn();
        } while (before !== undefined && left > 0 && found.length < MOST_RANKED);
        if (before !== undefined) return { found: found.sort(byCapture), isPartial: true };
      }
    return { found: found.sort(byCapture), isPartial: false };
  }

  async function currentAt(asOf: string | undefined, page: readonly Memory[]): Promise<readonly Memory[]> {
    if (asOf === undefined) return page;
    const history = page.filter(({ supersededBy }) => supersededBy !== undefined).map(({ memoryId }) => memoryId);
    const ends = history.length === 0 ? new Map() : await transfer.supersededAt(history);
    const at = new Date(spanOf(asOf).last).toISOString();
    return page.filter((memory) => wasCurrent(memory, ends.get(memory.memoryId)?.at, at));
  }

  return {
    /** The limit is at most that of an answer, which counts when it is left out. */
    async recall(
      agentId: string,
      query: string,
      { limit = maxLimit, searched = { query }, ...bounds }: RecallBounds = {},
    ): Promise<GateView> {
      const question = await read(searched);
      const asked = { ...bounds, agentId, question, limit, embed };
      const filters = givenFilters(bounds);
      if (bounds.asOf !== undefined || bounds.sourceAgent !== undefined || readsDetails(bounds))
        return index.whenCaughtUp(agentId, async ({ policy, allowed, blocked, ...state }) => {
          const within = allowed.filter((namespace) => isWithin(namespace, bounds.namespacePrefix));
          const { found, isPartial } = await matching(within, bounds);
          const recalled = await runInSlices(recallAmong(found, asked, policy, { allowed, blocked }));
          const view = { ...state, agentId, query, filters, allowedNamespaces: allowed, ...recalled, isPartial };
          return { ...view, allowsSuperseded: bounds.asOf !== undefined };
        });
      return searchAndRead(agentId, function* (search, { policy, allowed, blocked, ...state }) {
        const recalled = yield* recallFrom(search, asked, policy, { allowed, blocked });
        return { ...state, agentId, query, filters, allowedNamespaces: allowed, ...recalled };
      });
    },

    /** What a recall would give, and what keeps the rest from the agent. For whoever governs the namespaces. */
    async explain({ agentId, query, limit = maxLimit, namespaces, wanted }: ToExplain) {
      const asked = { agentId, question: await read({ query }), limit, isRated: true, embed };
      const within = (list: readonly string[]) => list.filter((name) => namespaces?.includes(name) ?? true);
      // A recall brings only what is open up to date.
      await index.catchUp();
      return searchAndRead(agentId, function* (search, { policy, policyVersion, ...divided }) {
        const division = { allowed: within(divided.allowed), blocked: within(divided.blocked) };
        return { policyVersion, explained: yield* explainFrom(search, asked, policy, division, wanted) };
      });
    },

    /** Closest first, of what the agent may use, of some namespaces, or of all. An agent's pass the fence. */
    async closest(text: string, among: Among, limit: number) {
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
      return given.map(({ memoryId, namespace, expiresAt, score }) => {
        return { memoryId, namespace, score, ...defined({ expiresAt }) };
      });
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
