// Floods in one tenant, and how long the chats and revokes of another take meanwhile.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { type Client, createClient } from "#contract/client/client.ts";
import { type ServiceProcess, startServiceProcess } from "#test/support/service-process.ts";
import { until } from "#test/torture/kills/check-service.ts";
import { cpuSeconds, processorWaitMs } from "../../../bench/support/process-usage.ts";
import { quantile } from "../../../bench/support/statistics.ts";
import { adminKeyOf, KEYED, operatorKeyOf } from "./first-keys.ts";
import {
  AGENT,
  FLOODS,
  type FloodMessage,
  type FloodName,
  type FloodOrder,
  type FloodTarget,
  NAMESPACE,
  QUESTION,
} from "./flood-worker.ts";

interface FloodOptions {
  /** Of chats and of revokes without a flood, in each round. */
  readonly samples: number;
  readonly rounds: number;
  /** Of each round. */
  readonly size: FloodTarget["size"];
  readonly onStatus: (status: string) => void;
}

/** Milliseconds as a client sees them, and without those in which the service or the client waited for a core. */
export interface Latency {
  readonly whole: number;
  readonly served: number;
}

interface Latencies {
  readonly samples: number;
  /** The 99th percentiles. */
  readonly chat: Latency;
  readonly revoke: Latency;
  /** How many cores the service had. */
  readonly cores: number;
}

interface Measured {
  readonly chats: readonly Latency[];
  readonly revokes: readonly Latency[];
  readonly seconds: number;
  readonly cpuSeconds: number;
}

export interface FloodReport {
  readonly unloaded: Latencies;
  readonly flooded: Latencies;
  /** What was sent, in each round. */
  readonly sentences: readonly string[];
}

/** Other work of the machine comes and goes: rounds without a flood alternate with rounds of it. */
export async function flood(options: FloodOptions): Promise<Map<FloodName, FloodReport>> {
  const { samples, rounds, size, onStatus } = options;
  const folder = mkdtempSync(join(tmpdir(), "portcullis-floods-"));
  const service = startServiceProcess(folder, {
    PORT: "0",
    DATABASE_URL: join(folder, "records.db"),
    SEED: "none",
    ...KEYED,
  });
  try {
    const url = await service.ready();
    const operatorKey = await operatorKeyOf(service);
    const [flooded, quiet] = [await fill(url, operatorKey, "flooded"), await fill(url, operatorKey, "quiet")];
    const client = createClient({ baseUrl: url, bearer: quiet });
    const enough = (taken: number) => taken >= samples;
    await measure(client, service, enough);
    const reports = new Map<FloodName, FloodReport>();
    for (const name of FLOODS) {
      const flooding = startFlooding({ name, url, key: flooded, size });
      const [unloaded, during]: [Measured[], Measured[]] = [[], []];
      const sentences: string[] = [];
      for (let round = 1; round <= rounds; round++) {
        onStatus(`round ${round} of ${rounds} without and with a flood of ${name}`);
        await flooding.prepared();
        await untilIdle(service);
        unloaded.push(await measure(client, service, enough));
        const sending = flooding.send();
        during.push(await measure(client, service, sending.hasEnded));
        sentences.push(await sending.ended);
      }
      await flooding.stop();
      reports.set(name, { unloaded: latenciesOf(unloaded), flooded: latenciesOf(during), sentences });
    }
    return reports;
  } finally {
    await service.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The thread that floods: it is told when to prepare a round, and when to send it. */
function startFlooding(target: FloodTarget) {
  const worker = new Worker(new URL("./flood-worker.ts", import.meta.url), { workerData: target });
  async function tell(order: FloodOrder): Promise<string> {
    worker.postMessage(order);
    const [message]: FloodMessage[] = await once(worker, "message");
    return message?.sentence ?? "";
  }
  return {
    prepared: () => tell("prepare"),
    send() {
      let hasEnded = false;
      const ended = tell("send").finally(() => {
        hasEnded = true;
      });
      ended.catch(() => undefined);
      return { hasEnded: () => hasEnded, ended };
    },
    stop: () => worker.terminate(),
  };
}

async function fill(url: string, operatorKey: string, tenant: string): Promise<string> {
  const key = await adminKeyOf(url, operatorKey, tenant);
  const client = createClient({ baseUrl: url, bearer: key });
  await client.setAccess({ agentId: AGENT, namespace: NAMESPACE, allowed: true });
  for (let i = 0; i < 20; i++)
    await client.capture({ namespace: NAMESPACE, content: `The door code of house ${i} is ${i}.`, sourceAgent: AGENT });
  return key;
}

async function measure(
  client: Client,
  { pid }: ServiceProcess,
  isEnough: (taken: number) => boolean,
): Promise<Measured> {
  const waited = () => (processorWaitMs(pid) ?? 0) + (processorWaitMs(process.pid) ?? 0);
  async function timed(request: () => Promise<unknown>): Promise<Latency> {
    const [began, waitedBefore] = [performance.now(), waited()];
    await request();
    const whole = performance.now() - began;
    return { whole, served: Math.max(0, whole - (waited() - waitedBefore)) };
  }
  const [chats, revokes]: [Latency[], Latency[]] = [[], []];
  const [began, cpuBefore] = [performance.now(), cpuSeconds(pid) ?? Number.NaN];
  while (!isEnough(chats.length)) {
    chats.push(await timed(() => client.chat(QUESTION)));
    const rule = { agentId: "visitor", namespace: NAMESPACE };
    await client.setAccess({ ...rule, allowed: true });
    revokes.push(await timed(() => client.setAccess({ ...rule, allowed: false })));
  }
  const seconds = (performance.now() - began) / 1_000;
  return { chats, revokes, seconds, cpuSeconds: (cpuSeconds(pid) ?? Number.NaN) - cpuBefore };
}

function latenciesOf(rounds: readonly Measured[]): Latencies {
  const chats = rounds.flatMap((round) => round.chats);
  const sum = (of: (round: Measured) => number) => rounds.reduce((total, round) => total + of(round), 0);
  return {
    samples: chats.length,
    chat: p99(chats),
    revoke: p99(rounds.flatMap((round) => round.revokes)),
    cores: sum((round) => round.cpuSeconds) / sum((round) => round.seconds),
  };
}

function p99(latencies: readonly Latency[]): Latency {
  const of = (kind: keyof Latency) =>
    quantile(
      latencies.map((latency) => latency[kind]),
      0.99,
    );
  return { whole: of("whole"), served: of("served") };
}

const IDLE_MS = 500;
/** Of that time. */
const IDLE_SHARE = 0.1;

/** What a flood left to do is done. */
function untilIdle({ pid }: ServiceProcess): Promise<void> {
  return until("The service does not come to rest after a flood.", async () => {
    const before = cpuSeconds(pid) ?? 0;
    await delay(IDLE_MS);
    return (cpuSeconds(pid) ?? 0) - before <= (IDLE_SHARE * IDLE_MS) / 1_000;
  });
}
