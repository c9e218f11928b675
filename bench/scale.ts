// Recall from a thousand to a million memories: speed, memory, ingest, restart, and how long the event loop is held. And
// whether memories that an agent may not use make its recalls slower.
import { join } from "node:path";
import type { Aim, Benchmark, Figure, Progress } from "./support/benchmark.ts";
import { type MeasureResult, type ScaleProcess, startScaleProcess } from "./support/scale-process.ts";
import { quantile, ratios } from "./support/statistics.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const NAMESPACES = Array.from({ length: 20 }, (_, i) => `namespace ${i + 1}`);
/** How many of the namespaces an agent may use. Each has an equal share of the memories. */
const SHARES = [1, 10, 20];
const ROUNDS = 3;
const QUESTIONS = 100;
const WARM_UP = 50;

/** The agent of the second part may use so many memories, while others are added to a namespace that is blocked for it. */
const ALLOWED = 10_000;
const ALLOWED_ROUNDS = 7;
const BLOCKED = "blocked";

// Of a million memories, and of a hundred thousand.
const P95_MS: ReadonlyMap<number, number> = new Map([
  [100_000, 5],
  [1_000_000, 25],
]);
const RESIDENT_MB = 1_200;
const READY_MS = 10_000;
const HELD_MS = 20;
const LARGEST_RATIO = 1.1;

export function scale(sizes: readonly number[] = SIZES): Benchmark {
  return {
    title: `recall, ingest and restart with up to ${thousands(Math.max(...sizes))} memories in ${NAMESPACES.length} namespaces`,

    async run(progress) {
      const figures: Figure[] = [];
      for (const size of sizes) figures.push(...(await measureSize(size, progress)));
      figures.push(...(await measureBlocked(Math.max(...sizes), progress)));
      return {
        figures,
        notes: [
          `${QUESTIONS} questions with question words and two or three others, from the gate over an SQLite file.`,
          "Memories have 8 to 16 words, drawn by their frequency from English words that the word vectors know.",
          "CPU is that of the thread: on a busy machine it says more than the clock. Some systems count it in steps of 4 ms.",
          "Ingest is captures that are on disk and in the index. Ready counts from the start of the process.",
        ],
      };
    },
  };
}

/** `--sizes 1000,10000`. */
export function parseSizes(text: string): number[] {
  const sizes = text.split(",").map(Number);
  if (sizes.some((size) => !Number.isSafeInteger(size) || size < NAMESPACES.length))
    throw new Error(`--sizes takes numbers of at least ${NAMESPACES.length}, with commas between them.`);
  return sizes;
}

const agentOf = (share: number): string => `agent with ${share}`;
const allow = SHARES.flatMap((share) =>
  NAMESPACES.slice(0, share).map((namespace) => ({ agentId: agentOf(share), namespace })),
);

async function measureSize(size: number, progress: Progress): Promise<Figure[]> {
  const label = `at ${thousands(size)}`;
  const path = join(createTemporaryFolder(), "scale.db");
  progress(`scale: capturing ${thousands(size)} memories`);
  const first = await startScaleProcess(path);
  const { perSecond } = await first.fill({ memories: size, namespaces: NAMESPACES, seed: 1, allow });
  const afterIngest = first.residentMb();
  await first.stop();

  progress(`scale: restart ${label}`);
  const service = await startScaleProcess(path);
  const afterRestart = service.residentMb();
  const recalls: Figure[] = [];
  const held: MeasureResult[] = [];
  for (const share of SHARES) {
    const measured = await measureShare(service, share, (round) => progress(`scale: ${label}, ${round}`));
    held.push(...measured);
    recalls.push(...recallFigures(size, share, measured));
  }
  const afterRecalls = service.residentMb();
  await service.stop();

  const isLargest = size === 1_000_000;
  const resident = (name: string, value: number | undefined): Figure => ({
    id: `resident${name}${size}`,
    what: `${label}: resident after ${name.toLowerCase()}`,
    unit: "MB",
    rounds: value === undefined ? [] : [value],
    ...aimed(isLargest && RESIDENT_MB),
  });
  return [
    ...recalls,
    {
      id: `held${size}`,
      what: `${label}: event loop held, longest`,
      unit: "ms",
      rounds: [Math.max(...held.map(({ heldMs }) => heldMs))],
      ...aimed(HELD_MS),
    },
    {
      id: `heldCpu${size}`,
      what: `${label}: event loop held, longest, CPU`,
      unit: "ms",
      rounds: [Math.max(...held.map(({ heldCpuMs }) => heldCpuMs))],
      ...aimed(HELD_MS),
    },
    { id: `ingest${size}`, what: `${label}: ingest`, unit: "memories/s", rounds: [perSecond] },
    resident("Ingest", afterIngest),
    {
      id: `ready${size}`,
      what: `${label}: ready after a restart`,
      unit: "ms",
      rounds: [service.readyMs],
      ...aimed(isLargest && READY_MS),
    },
    resident("Restart", afterRestart),
    resident("Recalls", afterRecalls),
  ];
}

async function measureShare(service: ScaleProcess, share: number, say: (round: string) => void) {
  const agentId = agentOf(share);
  await service.measure({ agentId, questions: WARM_UP, seed: 2 });
  const rounds: MeasureResult[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    say(`${percentOf(share)} allowed, round ${round} of ${ROUNDS}`);
    rounds.push(await service.measure({ agentId, questions: QUESTIONS, seed: 3 }));
  }
  return rounds;
}

function recallFigures(size: number, share: number, rounds: readonly MeasureResult[]): Figure[] {
  const label = `at ${thousands(size)}, ${percentOf(share)} allowed`;
  const figure = (name: string, what: string, values: number[], aim: number | false = false): Figure => ({
    id: `${name}${size}of${share}`,
    what: `${label}: ${what}`,
    unit: "ms",
    rounds: values,
    ...aimed(aim),
  });
  return [
    figure("p50", "p50", p50(rounds)),
    figure(
      "p95",
      "p95",
      rounds.map(({ ms }) => quantile(ms, 0.95)),
      P95_MS.get(size),
    ),
    figure(
      "cpu",
      "CPU, mean",
      rounds.map(({ cpuMs }) => cpuMs),
    ),
  ];
}

/** Two processes take turns, so that a busy machine slows both: one has the allowed memories alone, one also the others. */
async function measureBlocked(blocked: number, progress: Progress): Promise<Figure[]> {
  const agentId = agentOf(NAMESPACES.length);
  const start = async () => {
    const service = await startScaleProcess(join(createTemporaryFolder(), "scale.db"));
    await service.fill({ memories: ALLOWED, namespaces: NAMESPACES, seed: 1, allow });
    return service;
  };
  progress(`scale: capturing ${thousands(ALLOWED)} allowed and ${thousands(blocked)} blocked memories`);
  const alone = await start();
  const crowded = await start();
  await crowded.fill({ memories: blocked, namespaces: [BLOCKED], seed: 4, allow: [] });

  const without: MeasureResult[] = [];
  const withOthers: MeasureResult[] = [];
  for (const service of [alone, crowded]) await service.measure({ agentId, questions: QUESTIONS, seed: 2 });
  for (let round = 1; round <= ALLOWED_ROUNDS; round++) {
    progress(`scale: ${thousands(blocked)} blocked memories, round ${round} of ${ALLOWED_ROUNDS}`);
    without.push(await alone.measure({ agentId, questions: QUESTIONS, seed: 3 }));
    withOthers.push(await crowded.measure({ agentId, questions: QUESTIONS, seed: 3 }));
  }
  await Promise.all([alone.stop(), crowded.stop()]);
  const label = `${thousands(ALLOWED)} allowed`;
  return [
    { id: "allowedP50", what: `${label}: p50`, unit: "ms", rounds: p50(without) },
    { id: "blockedP50", what: `${label}, ${thousands(blocked)} blocked: p50`, unit: "ms", rounds: p50(withOthers) },
    {
      id: "blockedRatio",
      what: "p50 with the blocked ones / without",
      rounds: ratios(p50(withOthers), p50(without)),
      ...aimed(LARGEST_RATIO),
    },
    {
      id: "blockedCpuRatio",
      what: "the same, CPU",
      rounds: ratios(cpuOf(withOthers), cpuOf(without)),
      ...aimed(LARGEST_RATIO),
    },
  ];
}

const aimed = (under: number | false | undefined): { aim?: Aim } => (under ? { aim: { under } } : {});
const p50 = (rounds: readonly MeasureResult[]): number[] => rounds.map(({ ms }) => quantile(ms, 0.5));
const cpuOf = (rounds: readonly MeasureResult[]): number[] => rounds.map(({ cpuMs }) => cpuMs);
const percentOf = (share: number): string => `${(100 * share) / NAMESPACES.length} %`;
const thousands = (count: number): string => count.toLocaleString("en");
