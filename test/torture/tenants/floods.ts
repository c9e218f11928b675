// Floods in one tenant, and how long the chats and revokes of another take meanwhile.
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
  type FloodTarget,
  NAMESPACE,
  QUESTION,
} from "./flood-worker.ts";

interface FloodOptions {
  /** Of chats and of revokes without a flood. */
  readonly samples: number;
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

export interface FloodReport {
  /** Measured just before. */
  readonly unloaded: Latencies;
  readonly flooded: Latencies;
  /** What was sent. */
  readonly sentence: string;
}

/** Other work of the machine comes and goes: each flood is compared with what was measured just before it. */
export async function flood({ samples, size, onStatus }: FloodOptions): Promise<Map<FloodName, FloodReport>> {
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
      onStatus(`before the flood of ${name}`);
      await untilIdle(service);
      const unloaded = await measure(client, service, enough);
      onStatus(`flood of ${name}`);
      const sending = await begin({ name, url, key: flooded, size });
      const during = await measure(client, service, sending.hasEnded);
      reports.set(name, { unloaded, flooded: during, sentence: await sending.ended });
    }
    return reports;
  } finally {
    await service.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves when the flood begins. */
async function begin(target: FloodTarget) {
  const worker = new Worker(new URL("./flood-worker.ts", import.meta.url), { workerData: target });
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  let hasEnded = false;
  const fail = (error: unknown) => {
    hasEnded = true;
    begun.reject(error);
    ended.reject(error);
  };
  ended.promise.catch(() => undefined);
  worker.once("error", fail).on("message", (message: FloodMessage) => {
    if (!message.ended) return begun.resolve();
    hasEnded = true;
    ended.resolve(message.sentence);
  });
  await begun.promise;
  return { hasEnded: () => hasEnded, ended: ended.promise };
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
): Promise<Latencies> {
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
  const cores = ((cpuSeconds(pid) ?? Number.NaN) - cpuBefore) / ((performance.now() - began) / 1_000);
  return { samples: chats.length, chat: p99(chats), revoke: p99(revokes), cores };
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
