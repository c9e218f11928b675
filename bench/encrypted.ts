// Encrypted namespaces beside open ones: the same texts in both, in one service, in alternation. Recall reads what is decrypted
// in memory; a capture encrypts.
import { type Client, createClient } from "#contract/client/client.ts";
import type { Benchmark, Progress } from "./support/benchmark.ts";
import { serveLoad } from "./support/load-generator.ts";
import { type Server, startServiceWith } from "./support/servers.ts";
import { ratios } from "./support/statistics.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const MEMORIES = 5_000;
const CAPTURED = 600;
const ROUNDS = 7;
const SECONDS = 2;
const CONNECTIONS = 16;
const KINDS = ["open", "encrypted"] as const;
type Kind = (typeof KINDS)[number];

export const encrypted: Benchmark = {
  title: `recall among ${MEMORIES} memories, and captures, in an encrypted namespace beside an open one`,

  async run(progress) {
    const environment = {
      DATABASE_URL: "encrypted.db",
      SEED: "none",
      ENCRYPTION_KEY: "5e".repeat(32),
      LOG_LEVEL: "warn",
    };
    const server = await startServiceWith(createTemporaryFolder(), environment, { isLogged: true });
    try {
      return await measure(server, progress);
    } finally {
      await server.stop();
    }
  },
};

async function measure(server: Server, progress: Progress) {
  const client = createClient({ baseUrl: server.url });
  await client.putNamespace({ name: "encrypted" }, { encrypted: true });
  for (const namespace of KINDS) {
    await client.setAccess({ agentId: namespace, namespace, allowed: true });
    progress(`encrypted: filling the ${namespace} namespace`);
    await importFacts(server, namespace, MEMORIES);
  }
  const recalls: Record<Kind, number[]> = { open: [], encrypted: [] };
  const captures: Record<Kind, number[]> = { open: [], encrypted: [] };
  const cpu: Record<Kind, number[]> = { open: [], encrypted: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const kind of round % 2 === 0 ? KINDS : KINDS.toReversed()) {
      progress(`encrypted: round ${round} of ${ROUNDS}, ${kind}`);
      const bodies = Array.from({ length: 50 }, (_, i) =>
        JSON.stringify({ agentId: kind, query: `What about topic ${i * 97} and colour ${i % 11}?` }),
      );
      const { perSecond, cpuMicros } = await serveLoad(server, {
        bodies,
        path: "/api/recall",
        connections: CONNECTIONS,
        seconds: SECONDS,
      });
      const first = MEMORIES + round * CAPTURED;
      const seconds = await captureFacts(client, kind, first);
      // The first round warms up.
      if (round > 0) {
        recalls[kind].push(perSecond);
        if (cpuMicros !== undefined) cpu[kind].push(cpuMicros);
        captures[kind].push(CAPTURED / seconds);
      }
    }
  }
  return {
    figures: [
      { id: "recallOpen", what: "recall, open", unit: "requests/s" as const, rounds: recalls.open },
      { id: "recallEncrypted", what: "recall, encrypted", unit: "requests/s" as const, rounds: recalls.encrypted },
      {
        id: "recallRatio",
        what: "recall, encrypted / open",
        rounds: ratios(recalls.encrypted, recalls.open),
        aim: { atLeast: 0.95 },
      },
      {
        id: "recallCpuRatio",
        what: "CPU time of a recall, encrypted / open",
        rounds: ratios(cpu.encrypted, cpu.open),
        aim: { under: 1.05 },
      },
      { id: "captureOpen", what: "captures, open", unit: "memories/s" as const, rounds: captures.open },
      { id: "captureEncrypted", what: "captures, encrypted", unit: "memories/s" as const, rounds: captures.encrypted },
      {
        id: "captureRatio",
        what: "captures, encrypted / open",
        rounds: ratios(captures.encrypted, captures.open),
        aim: { atLeast: 0.77 },
      },
    ],
    notes: [
      `An aim of 0.77 means that an encrypted capture takes up to 30 % longer. Captures are sent to POST /api/memories on ${CONNECTIONS} connections.`,
      "SQLite, mock blobs. Both kinds have the same texts.",
    ],
  };
}

const textOf = (i: number) =>
  `Note ${i}: topic ${i % 5_003} was painted in colour ${i % 11} near place ${i % 401}, and ${["Ada", "Bob", "Eve"][i % 3]} likes it.`;

const factOf = (namespace: Kind, i: number) => ({ namespace, content: textOf(i), sourceAgent: "bench" });

async function importFacts({ url }: Server, namespace: Kind, count: number): Promise<void> {
  const body = Array.from({ length: count }, (_, i) => `${JSON.stringify(factOf(namespace, i))}\n`).join("");
  const headers = { "content-type": "application/x-ndjson" };
  const reply = await fetch(`${url}/api/memories/import`, { method: "POST", headers, body }).then((r) => r.text());
  if (reply.includes('"error"')) throw new Error("A fact was not captured.");
}

/** One after another on each connection. In seconds. */
async function captureFacts(client: Client, namespace: Kind, first: number): Promise<number> {
  const facts = Array.from({ length: CAPTURED }, (_, i) => factOf(namespace, first + i)).values();
  const start = performance.now();
  async function worker(): Promise<void> {
    for (const fact of facts) await client.capture(fact);
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return (performance.now() - start) / 1_000;
}
