// How long a revoke takes while many answers wait for a slow model, and how soon the calls that it touches are given up.
import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "#contract/client/client.ts";
import { readPrompt } from "#core/prompt/prompt.ts";
import { startOpenAiStandIn } from "#test/support/openai-stand-in/index.ts";
import { startPostgres } from "#test/support/postgres/server.ts";
import { startReplica } from "#test/torture/start-replicas.ts";
import type { Benchmark, Figure, Progress } from "./support/benchmark.ts";
import { createScratch } from "./support/scratch.ts";
import { quantile } from "./support/statistics.ts";

const IN_FLIGHT = 200;
const MODEL_MS = 5_000;
const BATCHES = 8;
const ROUNDS = 3;
const AGENT = "assistant";
/** What the agent may use of the seed: each is taken away in turn. */
const NAMESPACES = ["health", "diet", "fitness", "travel"];

export const revoke: Benchmark = {
  title: `a revoke while ${IN_FLIGHT} answers wait for a model of ${MODEL_MS / 1_000} s, and the end of the calls it touches`,

  async run(progress) {
    const postgres = await startPostgres({ fsync: true });
    try {
      const figures: Figure[] = [];
      figures.push(...(await measured("SQLite", 50, `${createScratch()}/revoke.db`, progress)));
      figures.push(...(await measured("PostgreSQL", 500, postgres.url, progress)));
      const notes = [
        `Each of ${ROUNDS} rounds: ${BATCHES * NAMESPACES.length} revokes, every one of which touches all ${IN_FLIGHT} answers under way, which are then made again.`,
        "A call is given up when the model sees its connection close, counted from the revoke's acknowledgement.",
      ];
      return { figures, notes };
    } finally {
      await postgres.stop();
    }
  },
};

async function measured(kind: string, aimMs: number, database: string, progress: Progress): Promise<Figure[]> {
  const rounds: Round[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    progress(`revoke: ${kind}, round ${round} of ${ROUNDS}`);
    rounds.push(await runRound(database));
  }
  const id = kind.toLowerCase();
  const each = (share: number, key: keyof Round) => rounds.map((round) => quantile(round[key], share));
  return [
    { id: `${id}P50`, what: `${kind}: revoke, p50`, unit: "ms", rounds: each(0.5, "revokeMs") },
    { id: `${id}P99`, what: `${kind}: revoke, p99`, unit: "ms", rounds: each(0.99, "revokeMs"), aim: { under: aimMs } },
    {
      id: `${id}GivenUp`,
      what: `${kind}: calls given up, last`,
      unit: "ms",
      rounds: each(1, "givenUpMs"),
      aim: { under: 250 },
    },
  ];
}

interface Round {
  readonly revokeMs: number[];
  readonly givenUpMs: number[];
}

async function runRound(database: string): Promise<Round> {
  const model = await startOpenAiStandIn();
  model.knobs.latencyMs = MODEL_MS;
  const environment = { DATABASE_URL: database, MODEL_BASE_URL: model.baseUrl, MODEL_NAME: "stand-in" };
  const replica = await startReplica({ environment });
  const client = createClient({ baseUrl: replica.url });
  const set = (namespace: string, allowed: boolean) => client.setAccess({ agentId: AGENT, namespace, allowed });
  const round: Round = { revokeMs: [], givenUpMs: [] };
  try {
    for (let batch = 0; batch < BATCHES; batch++) {
      for (const namespace of NAMESPACES) await set(namespace, true);
      model.reset();
      model.knobs.latencyMs = MODEL_MS;
      const crowd = startCrowd(client);
      const underWay = () => model.received.filter(({ state }) => state === "open");
      for (const namespace of NAMESPACES) {
        const touched = () => underWay().filter((call) => namespacesOf(call).has(namespace)).length;
        await until(() => touched() >= IN_FLIGHT);
        const began = performance.now();
        await set(namespace, false);
        const acknowledged = performance.now();
        round.revokeMs.push(acknowledged - began);
        await until(() => touched() === 0);
        round.givenUpMs.push(performance.now() - acknowledged);
      }
      await crowd.leave();
    }
  } finally {
    await replica.stop();
    await model.close();
  }
  return round;
}

/** So many who ask, and ask again. */
function startCrowd({ chat }: ReturnType<typeof createClient>) {
  const leaving = new AbortController();
  const { signal } = leaving;
  const callers = Array.from({ length: IN_FLIGHT }, async () => {
    while (!signal.aborted) {
      await chat({ agentId: AGENT, query: "What about dinner?" }, { signal }).catch(() => undefined);
    }
  });
  return {
    async leave(): Promise<void> {
      leaving.abort();
      await Promise.all(callers);
    },
  };
}

type Call = Awaited<ReturnType<typeof startOpenAiStandIn>>["received"][number];

const known = new WeakMap<Call, ReadonlySet<string>>();

function namespacesOf(call: Call): ReadonlySet<string> {
  const found = known.get(call);
  if (found !== undefined) return found;
  const { messages } = call.json as { messages: readonly { readonly content: string }[] };
  const { memories } = readPrompt({ system: "", user: messages[1]?.content ?? "" });
  const namespaces = new Set(memories.map(({ namespace }) => namespace));
  known.set(call, namespaces);
  return namespaces;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await delay(2);
}
