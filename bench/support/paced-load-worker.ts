// The thread of paced-load.ts.
import { parentPort, workerData } from "node:worker_threads";
import autocannon from "autocannon";
import type { PacedAnswers, PacedLoad } from "./paced-load.ts";

const { url, path, bodies, headers = {}, connections, seconds, rate }: PacedLoad = workerData;
const byStatus = new Map<number, number[]>();
const began = performance.now();
const cpuBefore = process.threadCpuUsage();

const result = await new Promise<autocannon.Result>((resolve, reject) => {
  const instance = autocannon(
    {
      url,
      connections,
      duration: seconds,
      ...(rate !== undefined && { overallRate: Math.max(connections, Math.round(rate)) }),
      requests: bodies.map((body) => ({
        method: "POST",
        path,
        headers: { "content-type": "application/json", ...headers },
        body,
      })),
    },
    (error, outcome) => (error ? reject(error) : resolve(outcome)),
  );
  instance.on("response", (_client, status, _bytes, ms) => {
    const latencies = byStatus.get(status) ?? [];
    if (latencies.length === 0) byStatus.set(status, latencies);
    latencies.push(ms);
  });
});

const { user, system } = process.threadCpuUsage(cpuBefore);
const answers: PacedAnswers = {
  seconds: (performance.now() - began) / 1_000,
  cpuSeconds: (user + system) / 1e6,
  byStatus: [...byStatus].map(([status, latencies]) => [status, Float64Array.from(latencies)] as const),
  lost: result.errors + result.timeouts,
};
parentPort?.postMessage(answers);
