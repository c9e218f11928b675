// Rolling restarts of three replicas on one PostgreSQL behind HAProxy, under load: no request may fail, and no event may
// be missed by a listener that reconnects.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "#contract/client/client.ts";
import { type ServiceProcess, startServiceProcess } from "#test/support/service-process.ts";
import { until } from "#test/torture/kills/check-service.ts";
import type { Random } from "#test/torture/kills/seeded-random.ts";
import { type BalancedLoad, startBalancedLoad } from "./balanced-load.ts";
import { type Haproxy, startHaproxy } from "./haproxy.ts";
import { freePort } from "./proxy-process.ts";

interface RollingOptions {
  readonly database: string;
  /** How often every replica is restarted. */
  readonly rounds: number;
  readonly random: Random;
  readonly onProgress?: (restarts: number) => void;
  /** In place of the replicas' own default. */
  readonly drainMs?: number;
  /** In place of the usual load, without a listener. The restarts end when it is done. */
  readonly load?: (url: string, firstReplica: ServiceProcess) => Promise<BalancedLoad & { isDone(): boolean }>;
  /** Of the replicas, beside what they need. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Ends after the first round in which a request failed. */
  readonly endsAtFailure?: boolean;
}

interface RollingReport {
  readonly restarts: number;
  readonly requests: ReadonlyMap<string, number>;
  readonly longestMs: number;
  readonly failures: readonly string[];
  readonly captured: number;
  /** How many captures the listener heard of, over how many connections. */
  readonly heard: number;
  readonly connections: number;
}

const NAMES = ["a", "b", "c"];

export async function restartRolling({
  database,
  rounds,
  random,
  onProgress,
  drainMs,
  load: startLoad,
  environment = {},
  endsAtFailure = false,
}: RollingOptions): Promise<RollingReport> {
  const folder = mkdtempSync(join(tmpdir(), "portcullis-rolling-"));
  const ports = new Map<string, number>();
  for (const name of NAMES) ports.set(name, await freePort());
  const replicas = new Map<string, ServiceProcess>();
  const cleanUp = () => {
    for (const replica of replicas.values()) void replica.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", cleanUp);

  async function start(name: string): Promise<void> {
    const replica = startServiceProcess(folder, {
      PORT: String(ports.get(name)),
      DATABASE_URL: database,
      SEED: "demo",
      LOG_LEVEL: "info",
      TRUST_PROXY: "127.0.0.1",
      ...(drainMs !== undefined && { DRAIN_MS: String(drainMs) }),
      ...environment,
    });
    replicas.set(name, replica);
    await replica.ready();
  }

  let balancer: Haproxy | undefined;
  try {
    // One after the other: the first one seeds the database.
    for (const name of NAMES) await start(name);
    balancer = await startHaproxy([...ports.values()]);
    const { url, statusOf } = balancer;
    const allUp = async () => {
      const statuses = await Promise.all(NAMES.map(statusOf));
      return statuses.every((status) => status === "UP");
    };
    await until("HAProxy does not take every replica in.", allUp);
    const listener = startLoad === undefined ? await listen(url) : NOBODY;
    const first = replicas.get("a") as ServiceProcess;
    const load = (await startLoad?.(url, first)) ?? { ...startBalancedLoad(url, random), isDone: () => false };
    const isOver = () => load.isDone() || (endsAtFailure && load.report.failures.length > 0);
    let restarts = 0;
    for (let round = 0; round < rounds && !isOver(); round++) {
      for (const name of NAMES) {
        const { code } = (await replicas.get(name)?.kill("SIGTERM")) ?? {};
        if (code !== 0) load.report.failures.push(`Replica ${name} ended with ${code}.`);
        await start(name);
        await until(`HAProxy does not take replica ${name} in again.`, allUp);
        restarts += 1;
        onProgress?.(restarts);
      }
    }
    await load.stop();
    const { captured, failures, ...report } = load.report;
    const missed = () => [...captured].filter((memoryId) => !listener.heard.has(memoryId));
    await until("The listener misses events.", async () => missed().length === 0).catch((error) => {
      failures.push(`${error} ${missed().length} of ${captured.size} were not heard of.`);
    });
    await listener.stop();
    const heard = captured.size - missed().length;
    return { ...report, restarts, failures, captured: captured.size, heard, connections: listener.connections() };
  } finally {
    await balancer?.stop();
    process.off("exit", cleanUp);
    cleanUp();
  }
}

const NOBODY = { heard: new Set<string>(), connections: () => 0, stop: async () => undefined };

/** Listens to events, and connects again when a replica ends its stream. Resolves when it is connected. */
async function listen(url: string) {
  const over = new AbortController();
  const connected = Promise.withResolvers<void>();
  const heard = new Set<string>();
  let connections = 0;
  const client = createClient({
    baseUrl: url,
    async fetch(input, init) {
      connections += 1;
      const response = await fetch(input, init);
      connected.resolve();
      return response;
    },
  });
  async function hear(): Promise<void> {
    for await (const { data } of client.listenToEvents({ signal: over.signal, retryMs: 100 })) {
      if ("memoryId" in data && typeof data.memoryId === "string") heard.add(data.memoryId);
    }
  }
  const hearing = hear().catch(() => undefined);
  await connected.promise;
  return {
    heard,
    connections: () => connections,
    async stop() {
      over.abort();
      await hearing;
    },
  };
}
