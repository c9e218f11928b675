// What the transparency log costs: an answer with and without its entries, entries placed in a second, a proof in a large
// tree, bytes on disk, and a bundle with the time to verify it in TypeScript and in Python.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { createClient } from "#contract/client/client.ts";
import type { DeploymentRecords } from "#ports.ts";
import { createTransparencyLog } from "#service/log/transparency-log.ts";
import { hasPython, judgeInPython } from "#test/proof/bundles/python-verifier.ts";
import { answerBundle } from "#verification/answer-bundle.ts";
import { verifyBundle } from "#verification/bundle.ts";
import { fetchBlob } from "#verification/fetch-blob.ts";
import { networkFetchers } from "#verification/network-fetchers.ts";
import { sourcesOf } from "#verification/sources.ts";
import { installWasmDigest } from "#wasm-digest.ts";
import type { Benchmark, Figure, Progress } from "./support/benchmark.ts";
import { serveLoad } from "./support/load-generator.ts";
import { CHAT_BODIES } from "./support/questions.ts";
import { startService, startWithoutEntries } from "./support/servers.ts";
import { ratios } from "./support/statistics.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const ENTRIES = 1_000_000;
const PROOFS = 1_000;
const ROUNDS = 30;
/** Of each service: with more, both are overloaded where cores are few, and refuse some. */
const LOAD = { bodies: CHAT_BODIES, path: "/api/chat", connections: 32 };
const WARM_UP_SECONDS = 30;
const ROUND_SECONDS = 3;
const VERIFICATIONS = 20;

export const log: Benchmark = {
  title: `an answer with its entries beside one without, a tree of ${ENTRIES.toLocaleString("en")} entries, a bundle`,

  async run(progress) {
    return {
      figures: [
        ...(await answerFigures(progress)),
        ...(await treeFigures(progress)),
        ...(await bundleFigures(progress)),
      ],
      notes: [
        "Without entries, the service runs with one line of a module replaced. Both answer at the same time, on one core if the system has taskset. CPU time of all threads.",
        "Entries are placed by one process on SQLite.",
      ],
    };
  },
};

/** Placing entries in the tree goes on meanwhile, and is part of it. */
async function answerFigures(progress: Progress): Promise<Figure[]> {
  const servers = {
    logged: await startService(createTemporaryFolder()),
    bare: await startWithoutEntries(createTemporaryFolder()),
  };
  try {
    for (const { pid } of Object.values(servers)) useFirstCore(pid);
    // Both at the same time: a machine is slower in one second than in the next.
    const serve = (seconds: number) => {
      const load = { ...LOAD, seconds };
      return Promise.all([serveLoad(servers.logged, load), serveLoad(servers.bare, load)]);
    };
    progress("log: warming up");
    await serve(WARM_UP_SECONDS);
    const rounds: Awaited<ReturnType<typeof serve>>[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      progress(`log: an answer, round ${round} of ${ROUNDS}`);
      rounds.push(await serve(ROUND_SECONDS));
    }
    const withLog = rounds.flatMap(([logged]) => logged.cpuMicros ?? []);
    const without = rounds.flatMap(([, bare]) => bare.cpuMicros ?? []);
    const ratio = ratios(withLog, without);
    return [
      { id: "cpu", what: "CPU of a chat", unit: "µs", rounds: withLog },
      { id: "cpuWithout", what: "CPU of a chat without entries", unit: "µs", rounds: without },
      { id: "cpuRatio", what: "with / without", rounds: ratio, aim: { under: 1.05 } },
    ];
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  }
}

/** So one core serves both: whatever else the machine does slows both alike. Linux has the command. */
const useFirstCore = (pid: number) => spawnSync("taskset", ["--all-tasks", "--cpu-list", "--pid", "0", String(pid)]);

async function treeFigures(progress: Progress): Promise<Figure[]> {
  const path = join(createTemporaryFolder(), "portcullis.db");
  await sqliteRecords({ path }).close();
  progress("log: writing entries");
  const before = statSync(path).size;
  writeEntries(path);
  const records = sqliteRecords({ path });
  const figures = await placeAndProve(records, progress).finally(records.close);
  const bytes = (statSync(path).size - before) / ENTRIES;
  return [...figures, { id: "bytes", what: "on disk, each entry", unit: "bytes", rounds: [bytes] }];
}

async function placeAndProve(records: DeploymentRecords, progress: Progress): Promise<Figure[]> {
  // As in the service.
  await installWasmDigest();
  const service = createTransparencyLog(records);
  progress("log: placing entries");
  const began = performance.now();
  await service.sequence();
  const seconds = (performance.now() - began) / 1_000;
  progress(`log: ${PROOFS} proofs`);
  const times: number[] = [];
  for (let i = 0; i < PROOFS; i++) {
    const asked = performance.now();
    const proven = await service.prove([{ index: Math.floor((i * ENTRIES) / PROOFS) }]);
    times.push(performance.now() - asked);
    if (proven === undefined) throw new Error("There is no proof.");
  }
  return [
    { id: "placed", what: "placed", unit: "entries/s", rounds: [ENTRIES / seconds], aim: { atLeast: 2_000 } },
    { id: "proof", what: "a proof", unit: "ms", rounds: times, aim: { under: 2 } },
  ];
}

/** As many as a large deployment has, in the shape of those that captures leave. */
function writeEntries(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`
    WITH RECURSIVE place(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM place WHERE n < ${ENTRIES})
    INSERT INTO log_batches (tenant, last, size, queued, at, entries)
    SELECT 1000, n, 1, n, '2026-05-01T10:00:00.000Z',
      json_array(json_object('kind', 'captured', 'about', 'mem_' || printf('%026d', n))) FROM place`);
  database.close();
}

async function bundleFigures(progress: Progress): Promise<Figure[]> {
  const server = await startService(createTemporaryFolder());
  try {
    progress("log: a bundle");
    const client = createClient({ baseUrl: server.url });
    const { receipt } = await client.chat({ agentId: "assistant", query: "What should I avoid at dinner?" });
    await client.anchorOnChain({ receipt });
    const entry = await client.getReceipt({ answerId: receipt.answerId });
    const signal = AbortSignal.timeout(60_000);
    const sources = sourcesOf(await client.getService(), undefined);
    const blob = (blobId: string) => fetchBlob(blobId, { baseUrl: sources.aggregator || server.url, signal });
    const fetchers = networkFetchers({ client, sources, blob, signal });
    const bundle = await answerBundle({ client, signal, fetchers, network: sources.network }, entry);
    const [size, nowMs] = [JSON.stringify(bundle).length, Date.now()];
    progress("log: verifying a bundle");
    const inTypeScript = await eachMs(async () => {
      for (let i = 0; i < VERIFICATIONS; i++) await verifyBundle(bundle);
    });
    const cases = Array.from({ length: VERIFICATIONS }, () => ({ bundle, nowMs }));
    const inPython = hasPython ? [await eachMs(() => judgeInPython(cases))] : [];
    return [
      { id: "bundle", what: "a bundle", unit: "bytes", rounds: [size] },
      { id: "verified", what: "verified in TypeScript", unit: "ms", rounds: [inTypeScript] },
      { id: "verifiedPython", what: "verified in Python", unit: "ms", rounds: inPython },
    ];
  } finally {
    await server.stop();
  }
}

async function eachMs(verifyAll: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await verifyAll();
  return (performance.now() - began) / VERIFICATIONS;
}
