// What the service does with four times the load that saturates it: how quick the requests are that it admits, what becomes
// of the rest, and how long a revoke takes meanwhile.
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "#contract/client/client.ts";
import type { Benchmark, Figure, Progress } from "./support/benchmark.ts";
import { type PacedResult, runPacedLoad } from "./support/paced-load.ts";
import { residentMemory } from "./support/process-usage.ts";
import { CHAT_BODIES } from "./support/questions.ts";
import { type Server, startService } from "./support/servers.ts";
import { quantile } from "./support/statistics.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const TIMES = 4;
/** As many as the chat's own benchmark has. Half as many must do nearly as well, or they do not saturate it. */
const SATURATING = 64;
const ENOUGH = 1.25;
const WARM_UP_SECONDS = 5;
const STEP_SECONDS = 3;
const UNLOADED_SECONDS = 5;
const UNLOADED_REVOKES = 300;
const REVOKE_PAUSE_MS = 20;
const RECOVERY_SECONDS = 10;
/** Normal again: every request of a second was answered, and the slowest percentile is below twice the unloaded one. */
const NORMAL = 2;

export function overload(seconds = 60): Benchmark {
  return {
    title: `${TIMES} times the load that saturates the chat, for ${seconds} s, and revokes meanwhile`,

    async run(progress) {
      const folder = createTemporaryFolder();
      const service = await startService(folder);
      try {
        return await measure(service, seconds, progress);
      } finally {
        await service.stop();
      }
    },
  };
}

async function measure(service: Server, seconds: number, progress: Progress) {
  const load = { url: service.url, path: "/api/chat", bodies: CHAT_BODIES };
  progress("overload: warming up");
  await runPacedLoad({ ...load, connections: 16, seconds: WARM_UP_SECONDS });

  progress("overload: unloaded");
  const unloaded = await runPacedLoad({ ...load, connections: 1, seconds: UNLOADED_SECONDS });
  const unloadedRevokes = await revokes(service.url, (count) => count < UNLOADED_REVOKES);

  const saturating = await saturate(load, progress);
  const connections = TIMES * saturating.connections;
  const rate = TIMES * saturating.perSecond;

  progress(`overload: ${connections} connections`);
  const memoryBefore = residentMemory(service.pid);
  let isOver = false;
  const loaded = runPacedLoad({ ...load, connections, rate, seconds }).finally(() => {
    isOver = true;
  });
  // The first moments are those of a service that has not seen the load yet. They count for the chats.
  const underLoad = revokes(service.url, () => !isOver);
  const [result, loadedRevokes] = await Promise.all([loaded, underLoad]);
  const memoryAfter = residentMemory(service.pid);

  progress("overload: recovery");
  const normalP99 = p99(unloaded);
  const recoveredAfter = await recovery(load, normalP99);
  return reportOf({
    unloaded,
    result,
    saturating,
    connections,
    rate,
    memory: [memoryBefore, memoryAfter],
    recoveredAfter,
    revokeP99: [quantile(unloadedRevokes, 0.99), quantile(loadedRevokes, 0.99)],
    revokeCount: loadedRevokes.length,
  });
}

type ChatLoad = Pick<Parameters<typeof runPacedLoad>[0], "url" | "path" | "bodies">;

const p99 = (result: PacedResult): number => result.latency(200, 0.99) ?? Number.POSITIVE_INFINITY;

async function saturate(load: ChatLoad, progress: Progress) {
  const perSecond = async (connections: number) => {
    progress(`overload: what saturates, ${connections} connections`);
    return (await runPacedLoad({ ...load, connections, seconds: STEP_SECONDS })).perSecond(200);
  };
  const half = await perSecond(SATURATING / 2);
  const all = await perSecond(SATURATING);
  return { connections: SATURATING, perSecond: all, isSaturated: all < ENOUGH * half };
}

/** Revokes, one after another, of an agent that asks nothing. Their latencies in milliseconds. */
async function revokes(url: string, goesOn: (count: number) => boolean): Promise<number[]> {
  const { setAccess } = createClient({ baseUrl: url });
  const rule = { agentId: "visitor", namespace: "diet" };
  const latencies: number[] = [];
  while (goesOn(latencies.length)) {
    await setAccess({ ...rule, allowed: true });
    await sleep(REVOKE_PAUSE_MS);
    const began = performance.now();
    await setAccess({ ...rule, allowed: false });
    latencies.push(performance.now() - began);
    await sleep(REVOKE_PAUSE_MS);
  }
  return latencies;
}

/** Seconds until a second passed in which all was as before; undefined when none did. */
async function recovery(load: ChatLoad, normalP99: number): Promise<number | undefined> {
  for (let second = 1; second <= RECOVERY_SECONDS; second++) {
    const result = await runPacedLoad({ ...load, connections: 1, seconds: 1 });
    if (result.share(200) === 100 && p99(result) < NORMAL * normalP99) return second;
  }
  return undefined;
}

interface Measured {
  readonly unloaded: PacedResult;
  readonly result: PacedResult;
  readonly saturating: Awaited<ReturnType<typeof saturate>>;
  readonly connections: number;
  readonly rate: number;
  readonly memory: readonly [before: number | undefined, after: number | undefined];
  readonly recoveredAfter: number | undefined;
  readonly revokeP99: readonly [unloaded: number, loaded: number];
  readonly revokeCount: number;
}

function reportOf({ unloaded, result, saturating, memory, recoveredAfter, revokeP99, ...rest }: Measured) {
  const one = (value: number | undefined) => (value === undefined ? [] : [value]);
  const [unloadedRevoke, loadedRevoke] = revokeP99;
  const refusal = (q: number) => one(result.latency(503, q));
  const figures: Figure[] = [
    { id: "unloadedP99", what: "unloaded p99", unit: "ms", rounds: one(unloaded.latency(200, 0.99)) },
    { id: "p50", what: "admitted p50", unit: "ms", rounds: one(result.latency(200, 0.5)) },
    { id: "p99", what: "admitted p99", unit: "ms", rounds: one(result.latency(200, 0.99)) },
    { id: "ratio", what: "admitted / unloaded, p99", rounds: [p99(result) / p99(unloaded)], aim: { under: 5 } },
    { id: "saturating", what: "saturating load", unit: "requests/s", rounds: [saturating.perSecond] },
    { id: "admitted", what: "admitted", unit: "requests/s", rounds: [result.perSecond(200)] },
    { id: "share200", what: "answered 200", unit: "%", rounds: [result.share(200)] },
    { id: "share429", what: "answered 429", unit: "%", rounds: [result.share(429)] },
    { id: "share503", what: "answered 503", unit: "%", rounds: [result.share(503)] },
    { id: "refusalP50", what: "refusal p50", unit: "ms", rounds: refusal(0.5) },
    { id: "refusalP99", what: "refusal p99", unit: "ms", rounds: refusal(0.99) },
    { id: "memoryBefore", what: "resident memory before", unit: "MB", rounds: one(memory[0]) },
    { id: "memoryAfter", what: "resident memory after", unit: "MB", rounds: one(memory[1]) },
    { id: "recovery", what: "normal again after", unit: "s", rounds: one(recoveredAfter), aim: { under: 5 } },
    { id: "revokeUnloaded", what: "revoke p99, unloaded", unit: "ms", rounds: [unloadedRevoke] },
    { id: "revokeLoaded", what: "revoke p99, overloaded", unit: "ms", rounds: [loadedRevoke] },
    {
      id: "revokeRatio",
      what: "revoke, overloaded / unloaded",
      rounds: [loadedRevoke / unloadedRevoke],
      aim: { under: 2 },
    },
    { id: "generator", what: "load generator, of one core", unit: "%", rounds: [result.generatorBusy] },
  ];
  const { connections, rate, revokeCount } = rest;
  const lost = result.lost === 0 ? "no request was lost" : `${result.lost} requests were lost`;
  return {
    figures,
    notes: [
      `${saturating.connections} connections ${saturating.isSaturated ? "saturate the service" : "do not saturate the service"}; then ${connections} offered ${Math.round(rate).toLocaleString("en")} requests/s, and ${lost}. ${revokeCount} revokes were made meanwhile.`,
      "The load generator runs on the same cores. Near 100 % it is itself late, and latencies include that.",
    ],
  };
}
