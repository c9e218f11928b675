// The time of a forget while many answers that use the memory wait for a slow model, beside the time of a revoke in the
// same run, and the time until the affected model calls are aborted.
import { createClient } from "#contract/client/client.ts";
import { startOpenAiStandIn } from "#test/support/openai-stand-in/openai-stand-in.ts";
import { startPostgres } from "#test/support/postgres/server.ts";
import { startReplica } from "#test/torture/start-replicas.ts";
import { memoriesOf, openCalls, startCallers, until } from "./support/answers-in-flight.ts";
import type { Benchmark, Figure, Progress } from "./support/benchmark.ts";
import { quantile, ratios } from "./support/statistics.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const IN_FLIGHT = 200;
const MODEL_MS = 5_000;
const BATCHES = 8;
const ROUNDS = 3;
const AGENT = "assistant";
/** Of the memories that are forgotten. They are pinned, so that every answer has them. */
const NAMESPACE = "work";
/** Namespaces of the seed that every answer has. Each is revoked in turn. */
const REVOKED = ["health", "diet"];

export const forget: Benchmark = {
  title: `a forget while ${IN_FLIGHT} answers with that memory wait for a model of ${MODEL_MS / 1_000} s, beside a revoke`,

  async run(progress) {
    const postgres = await startPostgres({ fsync: true });
    try {
      const figures: Figure[] = [
        ...(await measureOn("SQLite", `${createTemporaryFolder()}/forget.db`, progress)),
        ...(await measureOn("PostgreSQL", postgres.url, progress)),
      ];
      const notes = [
        `Each of ${ROUNDS} rounds has ${BATCHES * REVOKED.length} forgets and as many revokes, in turns. Every one affects all ${IN_FLIGHT} answers in progress, which are then made again.`,
        "A call is aborted when the model sees its connection close. The time runs from the acknowledgement.",
      ];
      return { figures, notes };
    } finally {
      await postgres.stop();
    }
  },
};

async function measureOn(kind: string, database: string, progress: Progress): Promise<Figure[]> {
  const rounds: Round[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    progress(`forget: ${kind}, round ${round} of ${ROUNDS}`);
    rounds.push(await runRound(database));
  }
  const id = kind.toLowerCase();
  const each = (share: number, key: keyof Round) => rounds.map((round) => quantile(round[key], share));
  const [forgetP99, revokeP99] = [each(0.99, "forgetMs"), each(0.99, "revokeMs")];
  return [
    { id: `${id}P50`, what: `${kind}: forget, p50`, unit: "ms", rounds: each(0.5, "forgetMs") },
    { id: `${id}P99`, what: `${kind}: forget, p99`, unit: "ms", rounds: forgetP99, aim: { under: 100 } },
    { id: `${id}RevokeP99`, what: `${kind}: revoke, p99`, unit: "ms", rounds: revokeP99 },
    { id: `${id}Ratio`, what: `${kind}: forget/revoke, p99`, rounds: ratios(forgetP99, revokeP99) },
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
  readonly forgetMs: number[];
  readonly revokeMs: number[];
  readonly abortedMs: number[];
}

let facts = 0;

async function runRound(database: string): Promise<Round> {
  const model = await startOpenAiStandIn();
  const environment = { DATABASE_URL: database, MODEL_BASE_URL: model.baseUrl, MODEL_NAME: "stand-in" };
  const replica = await startReplica({ environment });
  const client = createClient({ baseUrl: replica.url });
  const round: Round = { forgetMs: [], revokeMs: [], abortedMs: [] };

  const set = (namespace: string, allowed: boolean) => client.setAccess({ agentId: AGENT, namespace, allowed });

  async function capturePinned() {
    const content = `Dinner number ${++facts} is at the office.`;
    const { memory } = await client.capture({ namespace: NAMESPACE, content, sourceAgent: "bench" });
    await client.updateMemory({ memoryId: memory.memoryId }, { pinned: true });
    return memory;
  }

  /** Waits until all answers in progress have it, and measures what takes it away from them. */
  async function measure(times: number[], isAffected: Parameters<typeof openCalls>[1], change: () => Promise<unknown>) {
    const affected = () => openCalls(model, isAffected);
    await until(() => affected() >= IN_FLIGHT);
    const began = performance.now();
    await change();
    const acknowledged = performance.now();
    times.push(acknowledged - began);
    await until(() => affected() === 0);
    round.abortedMs.push(performance.now() - acknowledged);
  }

  try {
    await set(NAMESPACE, true);
    for (let batch = 0; batch < BATCHES; batch++) {
      for (const namespace of REVOKED) await set(namespace, true);
      const pinned = [];
      for (const _ of REVOKED) pinned.push(await capturePinned());
      model.reset();
      model.knobs.latencyMs = MODEL_MS;
      const callers = startCallers(client, { agentId: AGENT, count: IN_FLIGHT });
      for (const [i, { memoryId, content }] of pinned.entries()) {
        const namespace = REVOKED[i] ?? "";
        await measure(
          round.forgetMs,
          (call) => memoriesOf(call).contents.has(content),
          () => client.forgetMemory({ memoryId }),
        );
        await measure(
          round.revokeMs,
          (call) => memoriesOf(call).namespaces.has(namespace),
          () => set(namespace, false),
        );
      }
      await callers.stop();
    }
  } finally {
    await replica.stop();
    await model.close();
  }
  return round;
}
