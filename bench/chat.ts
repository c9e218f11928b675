// The throughput of a chat, with gate, blob checks and a durable receipt, beside a bare HTTP handler.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Benchmark, Progress, Report } from "./support/benchmark.ts";
import { diskMs } from "./support/disk-latency.ts";
import { type Load, type Served, serveLoad } from "./support/load-generator.ts";
import { CHAT_BODIES } from "./support/questions.ts";
import { type Server, startBare, startService } from "./support/servers.ts";
import { median, ratios } from "./support/statistics.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const CONNECTIONS = 64;
const ROUNDS = 9;
/** V8 optimises for about twenty thousand chats: until then a tenth of the CPU time, or more, is that of its compiler. */
const WARM_UP = { seconds: 30 };
const ROUND = { seconds: 2 };
const PATH = "/api/chat";

const LOAD = { bodies: CHAT_BODIES, path: PATH, connections: CONNECTIONS };

export const chat: Benchmark = {
  title: `${CONNECTIONS} connections, each answer's receipt on disk before it is sent, beside a bare Hono handler`,

  async run(progress) {
    const folder = createTemporaryFolder();
    const servers: Server[] = [];
    try {
      const service = await startService(folder);
      servers.push(service);
      const bare = await startBare(folder, await saveTypicalAnswer(service, folder));
      servers.push(bare);
      const served = await alternate({ service, bare }, progress);
      return reportOf(served, diskMs(folder));
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  },
};

/** Warms up both servers, then alternates their rounds. */
async function alternate<K extends string>(
  servers: Readonly<Record<K, Server>>,
  progress: Progress,
): Promise<Record<K, Served[]>> {
  const names = Object.keys(servers) as K[];
  const run = (name: K, length: Pick<Load, "seconds">) => serveLoad(servers[name], { ...LOAD, ...length });
  const served = Object.fromEntries(names.map((name) => [name, [] as Served[]])) as Record<K, Served[]>;
  for (const name of names) {
    progress(`chat: warming up ${name}`);
    await run(name, WARM_UP);
  }
  for (let round = 1; round <= ROUNDS; round++) {
    for (const name of names) {
      progress(`chat: round ${round} of ${ROUNDS}, ${name}`);
      served[name].push(await run(name, ROUND));
    }
  }
  return served;
}

function reportOf({ service, bare }: Record<"service" | "bare", readonly Served[]>, disk: number): Report {
  const each = (served: readonly Served[], key: keyof Served) => served.flatMap((round) => round[key] ?? []);
  const [speed, bareSpeed] = [each(service, "perSecond"), each(bare, "perSecond")];
  const [cpu, bareCpu] = [each(service, "cpuMicros"), each(bare, "cpuMicros")];
  return {
    figures: [
      { id: "service", what: "Portcullis", unit: "requests/s", rounds: speed },
      { id: "bare", what: "bare handler", unit: "requests/s", rounds: bareSpeed },
      { id: "ratio", what: "Portcullis / bare", rounds: ratios(speed, bareSpeed), aim: { atLeast: 0.15 } },
      { id: "p50", what: "Portcullis p50", unit: "ms", rounds: each(service, "p50Ms") },
      { id: "p99", what: "Portcullis p99", unit: "ms", rounds: each(service, "p99Ms") },
      { id: "bareP50", what: "bare p50", unit: "ms", rounds: each(bare, "p50Ms") },
      { id: "bareP99", what: "bare p99", unit: "ms", rounds: each(bare, "p99Ms") },
      { id: "cpu", what: "Portcullis CPU per request", unit: "µs", rounds: cpu },
      { id: "bareCpu", what: "bare CPU per request", unit: "µs", rounds: bareCpu },
      { id: "cpuRatio", what: "bare / Portcullis, by CPU", rounds: ratios(bareCpu, cpu) },
      { id: "callersBusy", what: "callers busy, Portcullis", unit: "%", rounds: each(service, "callersBusy") },
      { id: "bareCallersBusy", what: "callers busy, bare", unit: "%", rounds: each(bare, "callersBusy") },
    ],
    notes: [
      `Bytes per answer, with headers: Portcullis ${bytes(service)}, bare ${bytes(bare)}. One durable write to disk: ${disk.toFixed(2)} ms.`,
      "If the callers are near 100 % busy, they are the bottleneck, and the ratio by CPU is the stricter one.",
    ],
  };
}

function bytes(served: readonly Served[]): string {
  return Math.round(median(served.map(({ bytesPerRequest }) => bytesPerRequest))).toLocaleString("en");
}

/** Writes an answer of median size to a file, for the bare handler to return. */
async function saveTypicalAnswer(service: Server, folder: string): Promise<string> {
  const answers: string[] = [];
  for (const body of CHAT_BODIES) {
    const headers = { "content-type": "application/json" };
    const response = await fetch(service.url + PATH, { method: "POST", headers, body });
    if (!response.ok) throw new Error(`A question was answered with ${response.status}.`);
    answers.push(await response.text());
  }
  const typical = answers.sort((a, b) => a.length - b.length)[answers.length >> 1] as string;
  const file = join(folder, "answer.json");
  writeFileSync(file, typical);
  return file;
}
