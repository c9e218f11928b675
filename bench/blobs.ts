// The cost of the blob store's latency: 64 concurrent checks beside one GET, and an import beside the limit that the
// publisher's concurrency sets.
import { walrusBlobs } from "#adapters/blobs/walrus/walrus-blobs.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { composeParts } from "#compose.ts";
import { readConfig } from "#config.ts";
import { admit } from "#core/gate/gate.ts";
import { policyFrom } from "#core/gate/policy.ts";
import type { Memory } from "#core/memory.ts";
import type { Ledger } from "#ports.ts";
import { checkBlobs } from "#service/answers/check-blobs.ts";
import { type ImportLine, importMemories } from "#service/memories/capture.ts";
import type { Tenant } from "#service/tenant.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { startWalrusProcess } from "./support/walrus-process.ts";

const CHECKS = 64;
const GET_MS = 50;
const WARM_UP = 10;
const ROUNDS = 15;
const FACTS = 2_000;
const PUT_MS = 500;
const PUT_CONCURRENCY = 8;

export const blobs: Benchmark = {
  title: `${CHECKS} blob checks at ${GET_MS} ms latency beside one GET, and an import of ${FACTS} at ${PUT_MS} ms`,

  async run(progress) {
    const walrus = await startWalrusProcess();
    const records = sqliteRecords({ path: `${createTemporaryFolder()}/blobs.db` });
    try {
      const store = walrusBlobs({ publisher: walrus.publisherUrl, aggregators: [walrus.aggregatorUrl] });
      const config = readConfig({ RECALL_LIMIT: String(CHECKS) });
      const tenant = await composeParts(config, { records, blobs: store, ledger: {} as Ledger });
      progress("blobs: storing what is checked");
      const memories = await importAll(tenant, CHECKS);
      const allowed = admit("a", memories, policyFrom([{ agentId: "a", namespace: "n", allowed: true }]));

      await walrus.set({ getMs: GET_MS });
      const [one, all]: [number[], number[]] = [[], []];
      for (let round = 0; round < WARM_UP + ROUNDS; round++) {
        progress(`blobs: checks, round ${round + 1} of ${WARM_UP + ROUNDS}`);
        const single = await millisecondsOf(() => store.get(memories[0]?.storeRef ?? ""));
        const every = await millisecondsOf(async () => {
          const checks = await checkBlobs(store, allowed);
          if (![...checks.values()].every(({ verified, intact }) => verified && intact))
            throw new Error("A blob did not verify.");
        });
        if (round < WARM_UP) continue;
        one.push(single);
        all.push(every);
      }

      progress(`blobs: import of ${FACTS}`);
      await walrus.set({ getMs: 0, putMs: PUT_MS });
      const seconds = (await millisecondsOf(() => importAll(tenant, FACTS))) / 1_000;
      const limit = (PUT_CONCURRENCY * 1_000) / PUT_MS;
      return {
        figures: [
          { id: "one-get", what: "one GET", unit: "ms", rounds: one },
          { id: "checks", what: `${CHECKS} checks`, unit: "ms", rounds: all },
          {
            id: "checks-ratio",
            what: "checks / one GET",
            rounds: all.map((ms, round) => ms / (one[round] ?? 1)),
            aim: { under: 1.3 },
          },
          { id: "import", what: "import", unit: "memories/s", rounds: [FACTS / seconds] },
          {
            id: "lanes",
            what: "share of the concurrency limit",
            rounds: [FACTS / seconds / limit],
            aim: { atLeast: 0.9 },
          },
        ],
        notes: [
          `The stand-in for Walrus runs in a process of its own. ${PUT_CONCURRENCY} puts at a time of ${PUT_MS} ms each allow ${limit} per second.`,
        ],
      };
    } finally {
      await records.close();
      await walrus.stop();
    }
  },
};

async function importAll(tenant: Tenant, count: number): Promise<Memory[]> {
  const memories: Memory[] = [];
  for await (const result of importMemories(tenant, facts(count))) {
    if (!("memory" in result)) throw new Error("A fact was not stored.", { cause: result });
    memories.push(result.memory);
  }
  return memories;
}

async function* facts(count: number): AsyncGenerator<ImportLine> {
  for (let line = 1; line <= count; line++) {
    yield { line, fact: { namespace: "n", content: `Fact ${line} of ${count}.`, sourceAgent: "bench" } };
  }
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
