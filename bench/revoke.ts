// The time of a revoke while many answers wait for a slow model, and the time until the affected model calls are aborted.
import { createClient } from "#contract/client/client.ts";
import { startOpenAiStandIn } from "#test/support/openai-stand-in/openai-stand-in.ts";
import { startPostgres } from "#test/support/postgres/server.ts";
import { startReplica } from "#test/torture/start-replicas.ts";
import { memoriesOf, openCalls, startCallers, until } from "./support/answers-in-flight.ts";
import type { Benchmark, Figure, Progress } from "./support/benchmark.ts";
import { quantile } from "./support/statistics.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const IN_FLIGHT = 200;
const MODEL_MS = 5_000;
const BATCHES = 8;
const ROUNDS = 3;
const AGENT = "assistant";
/** Namespaces of the seed that the agent may use. Each is revoked in turn. */
const NAMESPACES = ["health", "diet", "fitness", "travel"];

export const revoke: Benchmark = {
  title: `a revoke while ${IN_FLIGHT} answers wait for a model of ${MODEL_MS / 1_000} s, and the abort of the calls that it affects`,

  async run(progress) {
    const postgres = await startPostgres({ fsync: true });
    try {
      const figures: Figure[] = [];
      figures.push(...(await measureOn("SQLite", 50, `${createTemporaryFolder()}/revoke.db`, progress)));
      figures.push(...(await measureOn("PostgreSQL", 500, postgres.url, progress)));
      const notes = [
        `Each of ${ROUNDS} rounds has ${BATCHES * NAMESPACES.length} revokes. Every one affects all ${IN_FLIGHT} answers in progress, which are then made again.`,
        "A call is aborted when the model sees its connection close. The time runs from the acknowledgement of the revoke.",
      ];
      return { figures, notes };
    } finally {
      await postgres.stop();
    }
  },
};

async function measureOn(kind: string, aimMs: number, database: string, progress: Progress): Promise<Figure[]> {
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
      what: `${kind}: last call aborted`,
      unit: "ms",
      rounds: each(1, "abortedMs"),
      aim: { under: 250 },
    },
  ];
}

interface Round {
  readonly revokeMs: number[];
  readonly abortedMs: number[];
}

async function runRound(database: string): Promise<Round> {
  const model = await startOpenAiStandIn();
  model.knobs.latencyMs = MODEL_MS;
  const environment = { DATABASE_URL: database, MODEL_BASE_URL: model.baseUrl, MODEL_NAME: "stand-in" };
  const replica = await startReplica({ environment });
  const client = createClient({ baseUrl: replica.url });
  const set = (namespace: string, allowed: boolean) => client.setAccess({ agentId: AGENT, namespace, allowed });
  const round: Round = { revokeMs: [], abortedMs: [] };
  try {
    for (let batch = 0; batch < BATCHES; batch++) {
      for (const namespace of NAMESPACES) await set(namespace, true);
      model.reset();
      model.knobs.latencyMs = MODEL_MS;
      const callers = startCallers(client, { agentId: AGENT, count: IN_FLIGHT });
      for (const namespace of NAMESPACES) {
        const affected = () => openCalls(model, (call) => memoriesOf(call).namespaces.has(namespace));
        await until(() => affected() >= IN_FLIGHT);
        const began = performance.now();
        await set(namespace, false);
        const acknowledged = performance.now();
        round.revokeMs.push(acknowledged - began);
        await until(() => affected() === 0);
        round.abortedMs.push(performance.now() - acknowledged);
      }
      await callers.stop();
    }
  } finally {
    await replica.stop();
    await model.close();
  }
  return round;
}
