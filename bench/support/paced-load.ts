// A load generator in a thread of its own, so that it and the caller do not wait for each other. It sends at a rate, as
// far as the connections are free to, and tells answers apart by their status.
import { Worker } from "node:worker_threads";
import { quantile } from "./statistics.ts";

export interface PacedLoad {
  readonly url: string;
  readonly path: string;
  readonly bodies: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
  /** Requests per second. Left out: as many as the connections can send, one at a time each. */
  readonly rate?: number;
}

/** What the thread sends back. */
export interface PacedAnswers {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Latencies in milliseconds, by status. */
  readonly byStatus: readonly (readonly [status: number, latencies: Float64Array])[];
  /** Connections that failed, and requests that were not answered in time. */
  readonly lost: number;
}

export interface PacedResult {
  readonly perSecond: (status: number) => number;
  /** The share of all answers, in percent. */
  readonly share: (status: number) => number;
  /** Undefined when no answer had the status. */
  readonly latency: (status: number, q: number) => number | undefined;
  readonly lost: number;
  /** CPU time of the generator, in percent of one core. */
  readonly generatorBusy: number;
}

export async function runPacedLoad(load: PacedLoad): Promise<PacedResult> {
  const worker = new Worker(new URL("./paced-load-worker.ts", import.meta.url), { workerData: load });
  const { seconds, cpuSeconds, byStatus, lost } = await new Promise<PacedAnswers>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  await worker.terminate();
  const latencies = new Map(byStatus);
  const countOf = (status: number) => latencies.get(status)?.length ?? 0;
  const all = byStatus.reduce((sum, [, { length }]) => sum + length, 0);
  return {
    perSecond: (status) => countOf(status) / seconds,
    share: (status) => (all === 0 ? 0 : (countOf(status) / all) * 100),
    latency: (status, q) => (countOf(status) === 0 ? undefined : quantile([...(latencies.get(status) ?? [])], q)),
    lost,
    generatorBusy: (cpuSeconds / seconds) * 100,
  };
}
