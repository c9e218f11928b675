// The speed of the recall index, in search and in building it, beside SQLite's FTS5 with the same namespace filter.
import { join } from "node:path";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { RECALL_LIMIT } from "#core/gate/gate.ts";
import { policyFrom } from "#core/gate/policy.ts";
import type { Memory } from "#core/memory.ts";
import { readQuestion } from "#core/recall/question.ts";
import { createRecallIndex } from "#core/recall/recall-index.ts";
import { recallGate } from "#test/support/recall-gate.ts";
import type { Benchmark, Figure, Progress } from "./support/benchmark.ts";
import { ALLOWED, type Captured, type Corpus, createCorpus } from "./support/corpus.ts";
import { createFts5 } from "./support/fts5.ts";
import { quantile, ratios } from "./support/statistics.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const ALL_SIZES = [1_000, 10_000, 100_000];
const QUERIES = 80;
const ROUNDS = 5;
const BUILDS = 3;
const AGENT = "assistant";

export const recall = (sizes: readonly number[] = ALL_SIZES): Benchmark => ({
  title: `the best ${RECALL_LIMIT} of 5 allowed namespaces out of 8, beside SQLite's FTS5`,

  async run(progress) {
    const largest = Math.max(...sizes);
    const corpus = createCorpus({ memories: largest, queries: QUERIES });
    const searches = sizes.map((size) => compareSearch(corpus, size, progress));
    const whole = await measureRecall(corpus, progress);
    return {
      figures: [...searches.flatMap(({ figures }) => figures), ...whole, ...compareBuild(corpus, progress)],
      notes: [
        `FTS5: in memory, porter unicode61, bm25, merged into one segment. ${QUERIES} queries of 3 to 8 words.`,
        `FTS5 finds ${percent(searches.at(-1)?.shared)} of the results of the index among ${thousands(largest)} memories.`,
      ],
    };
  },
});

type Search = (query: string) => number[];
type RecallIndex = ReturnType<typeof createRecallIndex>;

function compareSearch(corpus: Corpus, size: number, progress: Progress): { figures: Figure[]; shared: number } {
  progress(`recall: building both at ${thousands(size)}`);
  const memories = corpus.memories.slice(0, size);
  const index = indexOf(memories);
  const fts5 = createFts5(memories);
  const byIndex: Search = (query) => sequencesOf(index, query);
  const byFts5: Search = (query) => fts5.search(query, RECALL_LIMIT);

  for (const query of corpus.queries) {
    // One that finds less does less work.
    if (rankedFor(index, query) < RECALL_LIMIT || byFts5(query).length < RECALL_LIMIT)
      throw new Error(`A search for "${query}" found too few memories.`);
  }
  const shared = sharedResults(corpus.queries, byIndex, byFts5); // This also warms up both.
  const ours: number[][] = [];
  const theirs: number[][] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    progress(`recall: ${thousands(size)} memories, round ${round} of ${ROUNDS}`);
    ours.push(corpus.queries.map((query) => timed(() => byIndex(query))));
    theirs.push(corpus.queries.map((query) => timed(() => byFts5(query))));
  }
  fts5.close();

  const label = `at ${thousands(size)}`;
  const speedup = ratios(p50(theirs), p50(ours));
  const aim = size === Math.max(...ALL_SIZES) ? { aim: { atLeast: 10 } } : {};
  return {
    shared,
    figures: [
      { id: `index${size}P50`, what: `index p50 ${label}`, unit: "ms", rounds: p50(ours) },
      { id: `index${size}P95`, what: `index p95 ${label}`, unit: "ms", rounds: p95(ours) },
      { id: `fts5${size}P50`, what: `FTS5 p50 ${label}`, unit: "ms", rounds: p50(theirs) },
      { id: `fts5${size}P95`, what: `FTS5 p95 ${label}`, unit: "ms", rounds: p95(theirs) },
      { id: `speedup${size}`, what: `times faster ${label}, p50`, rounds: speedup, ...aim },
    ],
  };
}

/** The time of an agent's recall from end to end: catch up, gate, search, load from SQLite, gate again. */
async function measureRecall({ memories, queries }: Corpus, progress: Progress): Promise<Figure[]> {
  progress("recall: filling a database");
  const records = sqliteRecords({ path: join(createTemporaryFolder(), "recall.db") });
  const policy = policyFrom(ALLOWED.map((namespace) => ({ agentId: AGENT, namespace, allowed: true })));
  await records.reset(memories.map(memoryOf), policy, { by: "bench", at: new Date(0).toISOString() });
  const { recall } = recallGate(records, { limit: RECALL_LIMIT });
  for (const query of queries) await recall(AGENT, query);

  const times: number[][] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    progress(`recall: whole, round ${round} of ${ROUNDS}`);
    const roundTimes: number[] = [];
    for (const query of queries) {
      const started = performance.now();
      await recall(AGENT, query);
      roundTimes.push(performance.now() - started);
    }
    times.push(roundTimes);
  }
  await records.close();
  const label = `at ${thousands(memories.length)}`;
  return [
    { id: "gatekeeperP50", what: `whole recall p50 ${label}`, unit: "ms", rounds: p50(times) },
    { id: "gatekeeperP95", what: `whole recall p95 ${label}`, unit: "ms", rounds: p95(times) },
  ];
}

function compareBuild({ memories }: Corpus, progress: Progress): Figure[] {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 1; round <= BUILDS; round++) {
    progress(`recall: build ${round} of ${BUILDS}`);
    ours.push(
      rate(
        memories.length,
        timed(() => indexOf(memories)),
      ),
    );
    const started = performance.now();
    let taken = 0;
    createFts5(memories, () => {
      taken = performance.now() - started;
    }).close();
    theirs.push(rate(memories.length, taken));
  }
  return [
    { id: "build", what: "index build", unit: "memories/s", rounds: ours, aim: { atLeast: 100_000 } },
    { id: "fts5Build", what: "FTS5 build, without the merge", unit: "memories/s", rounds: theirs },
    { id: "buildRatio", what: "index build / FTS5 build", rounds: ratios(ours, theirs) },
  ];
}

function sequencesOf(index: RecallIndex, query: string): number[] {
  const selected = completed(index.search(readQuestion(query, new Date()), ALLOWED, RECALL_LIMIT));
  return selected.map(({ sequence }) => sequence);
}

/** How many memories the index ranks for the query. The search then leaves out what bears little on it. */
const rankedFor = (index: RecallIndex, query: string): number =>
  completed(index.rank(readQuestion(query, new Date()), ALLOWED)).length;

function completed<T>(search: Generator<void, T>): T {
  for (;;) {
    const step = search.next();
    if (step.done === true) return step.value;
  }
}

function indexOf(memories: readonly Captured[]) {
  const index = createRecallIndex();
  for (const memory of memories) index.apply(memory);
  return index;
}

function memoryOf({ sequence, namespace, content }: Captured): Memory {
  const digest = sequence.toString(16).padStart(64, "0");
  return {
    memoryId: `mem_${String(sequence).padStart(26, "0")}`,
    storeRef: digest.slice(0, 43),
    namespace,
    content,
    sourceAgent: AGENT,
    createdAt: new Date(0).toISOString(),
    contentDigest: digest,
  };
}

/** The share of the first search's results that the second has too. */
function sharedResults(queries: readonly string[], first: Search, second: Search): number {
  let found = 0;
  let both = 0;
  for (const query of queries) {
    const others = new Set(second(query));
    const results = first(query);
    found += results.length;
    both += results.filter((sequence) => others.has(sequence)).length;
  }
  return both / found;
}

function timed(job: () => unknown): number {
  const started = performance.now();
  job();
  return performance.now() - started;
}

const p50 = (rounds: readonly (readonly number[])[]): number[] => rounds.map((times) => quantile(times, 0.5));
const p95 = (rounds: readonly (readonly number[])[]): number[] => rounds.map((times) => quantile(times, 0.95));
const rate = (count: number, ms: number): number => (count / ms) * 1_000;
const thousands = (count: number): string => count.toLocaleString("en");
const percent = (share = 0): string => `${Math.round(share * 100)} %`;
