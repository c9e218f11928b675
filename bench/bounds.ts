// Every route with records at their limits: how long it takes, and how large its answer is. What is not sent as a stream
// must stay under a megabyte and a tenth of a second.
import { join } from "node:path";
import { postgresRecords } from "#adapters/records/postgres/postgres-records.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { createClient } from "#contract/client/client.ts";
import { paths, type RouteName } from "#contract/paths.ts";
import { type Route, routes } from "#contract/routes.ts";
import type { RecordStore } from "#ports.ts";
import { startPostgres } from "#test/support/postgres/server.ts";
import type { Benchmark, Figure, Progress } from "./support/benchmark.ts";
import {
  fillRecords,
  NAMESPACES,
  namespaceOf,
  RECEIPTS,
  REVOKED,
  RULES,
  STRANGER,
  TRUSTED,
} from "./support/crowded-records.ts";
import { startServiceOn } from "./support/servers.ts";
import { quantile } from "./support/statistics.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const ROUNDS = 3;
const REQUESTS = 20;
const MEGABYTE = 1_000_000;

/** One way to call a route. */
interface Call {
  readonly route: RouteName;
  readonly what: string;
  /** Of the reply: sent while it is made, so neither its time nor its size has an aim. */
  readonly isStream: boolean;
  send(): Promise<Response>;
}

export const bounds: Benchmark = {
  title: `every route with ${NAMESPACES} namespaces, ${RULES} rules and ${RECEIPTS} receipts: p95, and size of the answer`,

  async run(progress) {
    const folder = createTemporaryFolder();
    const path = join(folder, "portcullis.db");
    const sqlite = await measureOn("SQLite", sqliteRecords({ path }), path, progress);
    const server = await startPostgres({ fsync: true });
    try {
      const postgres = await measureOn("PostgreSQL", await postgresRecords({ url: server.url }), server.url, progress);
      const measured = new Set(sqlite.routes);
      const others = Object.keys(paths).filter((name) => !measured.has(name as RouteName));
      return {
        figures: [...sqlite.figures, ...postgres.figures],
        notes: [
          `p95 of ${REQUESTS} requests in a row, and the size of the last answer; the median of ${ROUNDS} rounds counts.`,
          `Not measured: ${others.join(", ")}.`,
        ],
      };
    } finally {
      await server.stop();
    }
  },
};

async function measureOn(kind: string, records: RecordStore, url: string, progress: Progress) {
  await fillRecords(records, (what) => progress(`bounds, ${kind}: filling the records, ${what}`));
  await records.close();
  const service = await startServiceOn(createTemporaryFolder(), url);
  try {
    const calls = await callsOf(service.url);
    const figures: Figure[] = [];
    for (const call of calls) {
      progress(`bounds, ${kind}: ${call.what}`);
      figures.push(...(await measure(kind, call)));
    }
    return { figures, routes: calls.map(({ route }) => route) };
  } finally {
    await service.stop();
  }
}

async function measure(kind: string, { route, what, isStream, send }: Call): Promise<Figure[]> {
  const times: number[] = [];
  const sizes: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const ofRound: number[] = [];
    let bytes = 0;
    for (let i = 0; i < REQUESTS; i++) {
      const began = performance.now();
      const response = await send();
      bytes = (await response.arrayBuffer()).byteLength;
      ofRound.push(performance.now() - began);
      if (!response.ok) throw new Error(`${what} was answered with ${response.status}.`);
    }
    times.push(quantile(ofRound, 0.95));
    sizes.push(bytes / MEGABYTE);
  }
  const id = `${kind.toLowerCase()}-${route}-${what}`;
  const name = `${kind}, ${what}${isStream ? " (stream)" : ""}`;
  return [
    { id: `${id}-p95`, what: `${name}: p95`, unit: "ms", rounds: times, ...(!isStream && { aim: { under: 100 } }) },
    { id: `${id}-size`, what: `${name}: size`, unit: "MB", rounds: sizes, ...(!isStream && { aim: { under: 1 } }) },
  ];
}

async function callsOf(url: string): Promise<Call[]> {
  const client = createClient({ baseUrl: url });
  const query = "When does the harbour open?";
  const { receipt } = await client.chat({ agentId: STRANGER, query });
  const { answerId } = receipt;
  // The first anchor brings the whole policy to the ledger.
  const anchored = await client.anchorOnChain({ answerId });
  const [memory] = (await client.listMemories({ limit: 1 })).memories;
  const { packageId } = await client.getLedger();
  const { transactions } = await client.ledgerTransactions({ limit: 1_000 });
  const { calls } = await client.ledgerTransaction({ digest: transactions.at(-2)?.digest ?? "" });
  if (memory === undefined || packageId === "" || calls.length === 0) throw new Error("The service is not filled.");

  const call = (route: RouteName, what: string, path: string, body?: () => object): Call => {
    const { method } = paths[route];
    const { streams }: Route = routes[route];
    const init = () => body && { body: JSON.stringify(body()), headers: { "content-type": "application/json" } };
    const isStream = streams === "pieces" && !path.includes("limit=");
    return { route, what, isStream, send: () => fetch(`${url}${path}`, { method, ...init() }) };
  };
  const get = (route: RouteName, path: string) => call(route, `GET ${path.replaceAll("%20", " ")}`, path);
  const post = (route: RouteName, note: string, body: () => object) =>
    call(route, `POST ${paths[route].path}${note && `, ${note}`}`, paths[route].path, body);
  let count = 0;
  const last = encodeURIComponent(namespaceOf(NAMESPACES - 1));

  return [
    get("getService", "/api/service"),
    get("getLedger", "/api/ledger"),
    get("getOverview", "/api/overview"),
    get("getPolicy", "/api/policy"),
    get("listPolicyChanges", "/api/policy/changes?limit=1000"),
    get("listMemories", "/api/memories"),
    get("listMemories", "/api/memories?limit=1000"),
    get("listMemories", "/api/memories?limit=100&q=harbour"),
    get("listMemories", `/api/memories?limit=100&viewAs=${encodeURIComponent(TRUSTED)}`),
    { ...get("getMemory", `/api/memories/${memory.memoryId}`), what: "GET /api/memories/{memoryId}" },
    get("listReceipts", "/api/receipts?limit=1000"),
    get("listReceipts", `/api/receipts?limit=100&namespace=${last}`),
    get("listReceipts", "/api/receipts?limit=100&anchored=yes"),
    { ...get("getReceipt", `/api/receipts/${answerId}`), what: "GET /api/receipts/{answerId}" },
    { ...get("listBlocked", `/api/receipts/${answerId}/blocked`), what: "GET /api/receipts/{answerId}/blocked" },
    { ...get("verify", `/api/verify/${anchored.receiptId}`), what: "GET /api/verify/{receiptId}" },
    get("ledgerTransactions", "/api/ledger/transactions?limit=1000"),
    {
      ...get("ledgerTransaction", `/api/ledger/transactions/${transactions.at(-2)?.digest}`),
      what: "GET /api/ledger/transactions/{digest}",
    },
    {
      ...get("ledgerObject", `/api/ledger/objects/${anchored.receiptId}`),
      what: "GET /api/ledger/objects/{objectId}",
    },
    post("chat", "nothing allowed", () => ({ agentId: STRANGER, query })),
    post("chat", "all revoked", () => ({ agentId: REVOKED, query })),
    post("chat", "all allowed", () => ({ agentId: TRUSTED, query })),
    post("companion", "", () => ({ query })),
    post("recall", "nothing allowed", () => ({ agentId: STRANGER, query })),
    post("recall", "all allowed", () => ({ agentId: TRUSTED, query })),
    post("capture", "", () => ({ namespace: namespaceOf(count++), content: `Note ${count}.`, sourceAgent: "bench" })),
    {
      ...call("updateMemory", "", `/api/memories/${memory.memoryId}`, () => ({ pinned: count++ % 2 === 0 })),
      what: "PATCH /api/memories/{memoryId}",
    },
    post("setAccess", "", () => ({ agentId: REVOKED, namespace: namespaceOf(7), allowed: count++ % 2 === 0 })),
    post("anchorReceipt", "by answerId", () => ({ answerId })),
    post("anchorReceipt", "by receipt", () => ({ receipt })),
    post("anchorOnChain", "", () => ({ answerId, claimNamespaces: [namespaceOf(count++)] })),
  ];
}
