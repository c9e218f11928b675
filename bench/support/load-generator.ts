// Closed-loop load generator: each connection sends its next request as soon as it is answered.
import autocannon from "autocannon";
import { cpuSeconds } from "./process-usage.ts";
import type { Server } from "./servers.ts";
import { quantile } from "./statistics.ts";

export interface Load {
  readonly bodies: readonly string[];
  readonly path: string;
  readonly connections: number;
  readonly seconds: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Served {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the server per request. Absent if the system does not report it. */
  readonly cpuMicros?: number;
  readonly bytesPerRequest: number;
  /** How busy the load generator was, in percent. Near 100 it is the bottleneck. */
  readonly callersBusy: number;
}

/** Rejects unless every answer is a 2xx. */
export async function serveLoad(
  server: Pick<Server, "url" | "pid" | "ended">,
  { bodies, path, connections, seconds, headers: more = {} }: Load,
): Promise<Served> {
  const latencies: number[] = [];
  const headers = { "content-type": "application/json", ...more };
  const cpuBefore = cpuSeconds(server.pid);
  const busyBefore = performance.eventLoopUtilization();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(
      {
        url: server.url,
        connections,
        duration: seconds,
        requests: bodies.map((body) => ({ method: "POST", path, headers, body })),
      },
      (error, outcome) => (error ? reject(error) : resolve(outcome)),
    );
    instance.on("response", (_client, _status, _bytes, ms) => latencies.push(ms));
  });
  const { utilization } = performance.eventLoopUtilization(busyBefore);
  const cpuAfter = cpuSeconds(server.pid);

  const answered = result["2xx"];
  if (answered === 0 || result.non2xx + result.errors + result.timeouts > 0) {
    const { non2xx, errors, timeouts } = result;
    const counts = `${answered} answers were 2xx, ${non2xx} were not; ${errors} errors, ${timeouts} timeouts.`;
    throw new Error(`${server.url}${path}: ${counts} ${server.ended() ?? ""}`.trimEnd());
  }
  return {
    perSecond: answered / result.duration,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    ...(cpuBefore !== undefined && cpuAfter !== undefined && { cpuMicros: ((cpuAfter - cpuBefore) / answered) * 1e6 }),
    bytesPerRequest: result.throughput.total / answered,
    callersBusy: utilization * 100,
  };
}
