// The cost of the fences: the same service with and without them, in alternation, on each database; and three replicas
// beside one.
import { startPostgres } from "#test/support/postgres/server.ts";
import { type Replica, startReplica, startReplicas } from "#test/torture/start-replicas.ts";
import type { Benchmark, Figure, Progress } from "./support/benchmark.ts";
import { type Served, serveLoad } from "./support/load-generator.ts";
import { CHAT_BODIES } from "./support/questions.ts";
import { ratios } from "./support/statistics.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const CONNECTIONS = 64;
const ROUNDS = 7;
const WARM_UP = 3;
const SECONDS = 2;
const REPLICAS = 3;

export const gate: Benchmark = {
  title: `${CONNECTIONS} connections: the chat with its fences beside the same without, and ${REPLICAS} replicas beside one`,

  async run(progress) {
    const postgres = await startPostgres({ fsync: true });
    try {
      const sqlite = await compareFences("SQLite", 0.85, (name) => `${createTemporaryFolder()}/${name}.db`, progress);
      const shared = await compareFences("PostgreSQL", 0.7, () => postgres.url, progress);
      return {
        figures: [...sqlite, ...shared, ...(await compareReplicas(postgres.url, progress))],
        notes: [
          "An aim of 0.85 means 15 % slower. Both use the built-in model, so the fences are a larger share than with a real one.",
          `On 2 cores, the callers, PostgreSQL and ${REPLICAS} replicas share what one replica alone uses up. There the last ratio shows what replicas cost, not what they gain.`,
        ],
      };
    } finally {
      await postgres.stop();
    }
  },
};

/** Alternates a replica with fences and one without, on databases of the same kind. */
async function compareFences(
  kind: string,
  atLeast: number,
  database: (name: string) => string,
  progress: Progress,
): Promise<Figure[]> {
  const fenced = await startReplica({ environment: { DATABASE_URL: database("fenced") } });
  const open = await startReplica({ environment: { DATABASE_URL: database("open") }, without: "both" });
  try {
    const rounds = await alternate(kind, { fenced: [fenced], open: [open] }, progress);
    const id = kind.toLowerCase();
    const [speed, bare] = [perSecond(rounds.fenced), perSecond(rounds.open)];
    return [
      { id: `${id}Fenced`, what: `${kind}, with fences`, unit: "requests/s", rounds: speed },
      { id: `${id}Open`, what: `${kind}, without`, unit: "requests/s", rounds: bare },
      { id: `${id}Ratio`, what: `${kind}, with / without`, rounds: ratios(speed, bare), aim: { atLeast } },
    ];
  } finally {
    await Promise.all([fenced.stop(), open.stop()]);
  }
}

async function compareReplicas(database: string, progress: Progress): Promise<Figure[]> {
  const fleet = await startReplicas(REPLICAS, { environment: { DATABASE_URL: database } });
  try {
    const rounds = await alternate("replicas", { one: fleet.slice(0, 1), all: fleet }, progress);
    const [all, one] = [perSecond(rounds.all), perSecond(rounds.one)];
    return [
      { id: "replicas", what: `${REPLICAS} replicas on PostgreSQL`, unit: "requests/s", rounds: all },
      { id: "replica", what: "one of them", unit: "requests/s", rounds: one },
      { id: "replicasRatio", what: `${REPLICAS} replicas / one`, rounds: ratios(all, one) },
    ];
  } finally {
    await Promise.all(fleet.map((replica) => replica.stop()));
  }
}

const perSecond = (rounds: readonly (readonly Served[])[]) =>
  rounds.map((round) => round.reduce((sum, served) => sum + served.perSecond, 0));

/** Warms up every group, then alternates their rounds. The replicas of a group run at the same time. */
async function alternate<K extends string>(
  what: string,
  groups: Readonly<Record<K, readonly Replica[]>>,
  progress: Progress,
): Promise<Record<K, Served[][]>> {
  const names = Object.keys(groups) as K[];
  const run = (name: K, seconds: number) => {
    const connections = Math.ceil(CONNECTIONS / groups[name].length);
    const load = { bodies: CHAT_BODIES, path: "/api/chat", connections, seconds };
    return Promise.all(groups[name].map((replica) => serveLoad(replica, load)));
  };
  const served = Object.fromEntries(names.map((name) => [name, [] as Served[][]])) as Record<K, Served[][]>;
  for (const name of names) {
    progress(`gate: ${what}, warming up ${name}`);
    await run(name, WARM_UP);
  }
  for (let round = 1; round <= ROUNDS; round++) {
    for (const name of round % 2 === 0 ? names : [...names].reverse()) {
      progress(`gate: ${what}, round ${round} of ${ROUNDS}, ${name}`);
      served[name].push(await run(name, SECONDS));
    }
  }
  return served;
}
