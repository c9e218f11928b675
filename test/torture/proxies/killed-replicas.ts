// Replicas that are killed behind a proxy, under load: the proxy sends what changes nothing to another one, and no such
// request fails. Plain requests, because the typed client would send them again itself.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServiceProcess, startServiceProcess } from "#test/support/service-process.ts";
import { until } from "#test/torture/kills/check-service.ts";
import { startHaproxy } from "./haproxy.ts";
import { startNginxBalancer } from "./nginx.ts";
import { freePort, type ProxyProcess } from "./proxy-process.ts";

interface KillOptions {
  readonly proxy: "haproxy" | "nginx";
  readonly database: string;
  /** How often every replica is killed. */
  readonly rounds: number;
  readonly onProgress?: (kills: number) => void;
}

interface Sent {
  requests: number;
  longestMs: number;
  /** How often each failure happened: a status, or that the connection was cut. */
  readonly failures: Map<string, number>;
}

const REPLICAS = 3;
const WORKERS = 4;
const TIMEOUT_MS = 60_000;
const JSON_TYPE = { "content-type": "application/json" };
const QUESTION = JSON.stringify({ agentId: "assistant", query: "What is planned for Friday?" });

export async function killBehindProxy({ proxy, database, rounds, onProgress }: KillOptions) {
  const folder = mkdtempSync(join(tmpdir(), "portcullis-killed-"));
  const ports = await Promise.all(Array.from({ length: REPLICAS }, freePort));
  const replicas: ServiceProcess[] = [];
  const cleanUp = () => {
    for (const replica of replicas) void replica.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", cleanUp);

  async function start(place: number): Promise<void> {
    const environment = { PORT: String(ports[place]), DATABASE_URL: database, SEED: "demo", TRUST_PROXY: "127.0.0.1" };
    const replica = startServiceProcess(folder, { ...environment, LOG_LEVEL: "info" });
    replicas[place] = replica;
    await replica.ready();
  }

  let balancer: ProxyProcess | undefined;
  let isOver = false;
  const sent = {
    GET: { requests: 0, longestMs: 0, failures: new Map() } as Sent,
    POST: { requests: 0, longestMs: 0, failures: new Map() } as Sent,
  };
  async function work(method: "GET" | "POST", url: string): Promise<void> {
    const report = sent[method];
    const init = method === "GET" ? {} : { method, headers: JSON_TYPE, body: QUESTION };
    while (!isOver) {
      const began = performance.now();
      const failure = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
        async (response) => (response.ok ? response.text().then(() => undefined, cut) : String(response.status)),
        cut,
      );
      report.requests += 1;
      report.longestMs = Math.max(report.longestMs, performance.now() - began);
      if (failure !== undefined) report.failures.set(failure, (report.failures.get(failure) ?? 0) + 1);
    }
  }

  try {
    // One after the other: the first one seeds the database.
    for (const place of ports.keys()) await start(place);
    balancer = await (proxy === "haproxy" ? startHaproxy(ports) : startNginxBalancer(ports));
    const { url } = balancer;
    const working = [
      ...Array.from({ length: WORKERS }, () => work("GET", `${url}/api/memories?limit=5`)),
      ...Array.from({ length: WORKERS }, () => work("POST", `${url}/api/recall`)),
    ];
    for (let kills = 0; kills < rounds * REPLICAS; kills++) {
      const place = kills % REPLICAS;
      await replicas[place]?.kill("SIGKILL");
      const before = sent.GET.requests + sent.POST.requests;
      await until("No request is answered.", async () => sent.GET.requests + sent.POST.requests > before + SOME);
      await start(place);
      onProgress?.(kills + 1);
    }
    isOver = true;
    await Promise.all(working);
    return sent;
  } finally {
    isOver = true;
    await balancer?.stop();
    process.off("exit", cleanUp);
    cleanUp();
  }
}

/** Requests that are answered without a replica, before it is started again. */
const SOME = 50;

const cut = () => "cut off";

export const sentenceOfSent = ({ requests, longestMs, failures }: Sent): string => {
  const failed = [...failures].map(([what, count]) => `${count} × ${what}`).join(", ") || "none";
  return `${requests} requests, the longest ${Math.round(longestMs)} ms; failed: ${failed}`;
};
