// A deployment of one tenant, of a thousand and of a hundred thousand, with 20 memories each: time to ready, memory, chats
// in tenants that are loaded and in others, making and deleting a tenant, bytes on disk.
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "#contract/client/client.ts";
import { TENANT_HEADER } from "#contract/paths.ts";
import { startPostgres } from "#test/support/postgres/server.ts";
import type { Aim, Benchmark, Figure, Progress } from "./support/benchmark.ts";
import { createEnglishText } from "./support/english-text.ts";
import { copyTenant, type RawDatabase, rawPostgres, rawSqlite, TEMPLATE, tenantIdOf } from "./support/many-tenants.ts";
import { residentMemory } from "./support/process-usage.ts";
import { type Server, startServiceOn } from "./support/servers.ts";
import { median, quantile } from "./support/statistics.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const COUNTS = [1, 1_000, 100_000];
const MEMORIES = 20;
const STARTS = 3;
const CHATS = 300;
const WARM_UP = 300;
/** Tenants whose first chat since the start is measured. */
const COLD = 300;
const WARM = 1_000;
const CREATED = 200;
const LARGE = 10_000;
const IDLE_MS = 600;
const AGENT = "assistant";
const QUESTION = JSON.stringify({ agentId: AGENT, query: "What did the people say about the water?" });

export function tenants(counts: readonly number[] = COUNTS): Benchmark {
  return {
    title: `deployments of ${counts.map(thousands).join(", ")} tenants of ${MEMORIES} memories`,

    async run(progress) {
      const postgres = await startPostgres({ fsync: true });
      try {
        const folder = createTemporaryFolder();
        const path = join(folder, "tenants.db");
        const sqlite = { kind: "SQLite", folder, database: path, open: async () => rawSqlite(path) };
        const { url } = postgres;
        const other = { kind: "PostgreSQL", folder, database: url, open: () => rawPostgres(url) };
        const figures: Figure[] = [];
        for (const deployment of [sqlite, other]) figures.push(...(await measure(deployment, counts, progress)));
        return {
          figures,
          notes: [
            "One tenant is filled by the API, and its rows are copied. Ratios are to the smallest deployment of the run.",
            `Chats come one after another: ${CHATS} in one tenant, and the first one in each of ${COLD} others.`,
          ],
        };
      } finally {
        await postgres.stop();
      }
    },
  };
}

/** `--tenants 1,1000`. */
export function parseCounts(text: string): number[] {
  const counts = text.split(",").map(Number);
  if (counts.some((count, i) => !Number.isSafeInteger(count) || count <= (counts[i - 1] ?? 0)))
    throw new Error("--tenants takes growing numbers, with commas between them.");
  return counts;
}

interface DeploymentUnderTest {
  readonly kind: string;
  readonly folder: string;
  readonly database: string;
  open(): Promise<RawDatabase>;
}

interface Measured {
  readonly ready: readonly number[];
  readonly resident: readonly number[];
  readonly residentWarm: number | undefined;
  readonly warm: readonly number[];
  readonly cold: readonly number[];
  readonly created: readonly number[];
  readonly bytes: number;
}

async function measure(
  deployment: DeploymentUnderTest,
  counts: readonly number[],
  progress: Progress,
): Promise<Figure[]> {
  const { kind, folder, database, open } = deployment;
  const say = (what: string) => progress(`tenants: ${kind}, ${what}`);
  say("filling one tenant");
  await withService(folder, database, ({ url }) => fillTemplate(url));
  const figures: Figure[] = [];
  let first: Measured | undefined;
  let had = 0;
  for (const count of counts) {
    say(`copying it ${thousands(count)} times`);
    const raw = await open();
    const before = await raw.bytes();
    await copyTenant(raw, count);
    const bytes = ((await raw.bytes()) - before) / (count - had);
    await raw.close();
    had = count;
    const measured = { ...(await measureCount(deployment, count, say)), bytes };
    first ??= measured;
    figures.push(...figuresOf(`${kind}, ${thousands(count)}`, measured, first));
    // What was made meanwhile is in the way of the next size.
    const cleaned = await open();
    await cleaned.run("DELETE FROM tenants WHERE id LIKE 'new%'");
    await cleaned.close();
  }
  say(`deleting a tenant of ${thousands(LARGE)} memories`);
  figures.push(...(await withService(folder, database, (server) => measureDeletion(kind, server))));
  return figures;
}

async function withService<T>(folder: string, database: string, work: (server: Server) => Promise<T>): Promise<T> {
  const server = await startServiceOn(folder, database);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

async function fillTemplate(url: string): Promise<void> {
  await createClient({ baseUrl: url }).createTenant({ id: TEMPLATE });
  const client = createClient({ baseUrl: url, tenant: TEMPLATE });
  const { fact } = createEnglishText(1);
  for (let i = 0; i < MEMORIES; i++)
    await client.capture({ namespace: `namespace ${i % 4}`, content: fact(), sourceAgent: "bench" });
  for (let i = 0; i < 3; i++) await client.setAccess({ agentId: AGENT, namespace: `namespace ${i}`, allowed: true });
}

async function measureCount(
  { folder, database }: DeploymentUnderTest,
  count: number,
  say: (what: string) => void,
): Promise<Omit<Measured, "bytes">> {
  const [ready, resident]: [number[], number[]] = [[], []];
  for (let i = 0; i < STARTS; i++) {
    say(`${thousands(count)} tenants, start ${i + 1} of ${STARTS}`);
    await withService(folder, database, async ({ pid, readyAfterMs }) => {
      await sleep(IDLE_MS);
      ready.push(readyAfterMs);
      resident.push(residentMemory(pid) ?? Number.NaN);
    });
  }
  return withService(folder, database, async ({ url, pid }) => {
    say(`${thousands(count)} tenants, chats`);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const chat = (tenant: number) => timed(agent, url, "/api/chat", QUESTION, tenantIdOf(tenant));
    for (let i = 0; i < WARM_UP; i++) await chat(0);
    const warm: number[] = [];
    for (let i = 0; i < CHATS; i++) warm.push(await chat(0));
    const cold: number[] = [];
    for (let i = 1; i <= Math.min(COLD, count - 1); i++) cold.push(await chat(i));
    for (let i = COLD + 1; i < Math.min(WARM, count); i++) await chat(i);
    const residentWarm = residentMemory(pid);
    const created: number[] = [];
    for (let i = 0; i < CREATED; i++)
      created.push(await timed(agent, url, "/api/tenants", JSON.stringify({ id: `new${count}-${i}` })));
    agent.destroy();
    return { ready, resident, residentWarm, warm, cold, created };
  });
}

function figuresOf(label: string, measured: Measured, first: Measured): Figure[] {
  const { ready, resident, residentWarm, warm, cold, created, bytes } = measured;
  const figure = (what: string, unit: Figure["unit"], rounds: readonly number[], aim?: Aim): Figure => ({
    id: `${label} ${what}`.replaceAll(/[^0-9A-Za-z]+/g, "-"),
    what: `${label}: ${what}`,
    ...(unit && { unit }),
    rounds: rounds.filter((value) => !Number.isNaN(value)),
    ...(aim && { aim }),
  });
  const of = (values: readonly number[], q: number) => (values.length === 0 ? [] : [quantile(values, q)]);
  return [
    figure("ready", "ms", ready),
    figure("ready / that of the smallest", undefined, [median(ready) / median(first.ready)], { under: 1.5 }),
    figure("resident at rest", "MB", resident),
    figure("resident with its first 1,000 warm", "MB", residentWarm === undefined ? [] : [residentWarm]),
    figure("chat in a warm tenant, p50", "ms", of(warm, 0.5)),
    figure("chat in a warm tenant, p95", "ms", of(warm, 0.95)),
    figure("p50 / that of the smallest", undefined, [median(warm) / median(first.warm)], { under: 1.1 }),
    figure("chat in a cold tenant, p50", "ms", of(cold, 0.5)),
    figure("chat in a cold tenant, p95", "ms", of(cold, 0.95)),
    figure("p95 cold / warm", undefined, cold.length === 0 ? [] : [quantile(cold, 0.95) / quantile(warm, 0.95)], {
      under: 3,
    }),
    figure("create a tenant, p95", "ms", of(created, 0.95)),
    figure("on disk, each", "MB", [bytes / 1e6]),
  ];
}

/** From the request until the tenant is a tombstone. */
async function measureDeletion(kind: string, { url }: Server): Promise<Figure[]> {
  const operator = createClient({ baseUrl: url });
  await operator.createTenant({ id: "large" });
  const { fact } = createEnglishText(2);
  const lines = Array.from({ length: LARGE }, (_, i) =>
    JSON.stringify({ namespace: `namespace ${i % 4}`, content: fact(), sourceAgent: "bench" }),
  );
  const imported = await fetch(`${url}/api/memories/import`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson", [TENANT_HEADER]: "large" },
    body: lines.join("\n"),
  });
  await imported.text();
  const began = performance.now();
  await operator.deleteTenant({ tenantId: "large" });
  const acknowledged = performance.now() - began;
  while ((await operator.getTenant({ tenantId: "large" })).tenant.deletion?.endedAt === undefined) await sleep(20);
  const ended = performance.now() - began;
  const label = `${kind}, a tenant of ${thousands(LARGE)} memories`;
  return [
    {
      id: `${kind}DeleteAcknowledged`,
      what: `${label}: its deletion acknowledged`,
      unit: "ms",
      rounds: [acknowledged],
    },
    { id: `${kind}Deleted`, what: `${label}: deleted`, unit: "ms", rounds: [ended] },
  ];
}

/** Posts the body. Answers with the milliseconds until the reply has ended. */
function timed(agent: Agent, url: string, path: string, body: string, tenant?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      ...(tenant !== undefined && { [TENANT_HEADER]: tenant }),
    };
    const began = performance.now();
    const sent = request(`${url}${path}`, { agent, method: "POST", headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      response.on("end", () => {
        if ((response.statusCode ?? 500) < 300) resolve(performance.now() - began);
        else reject(new Error(`${path} was answered with ${response.statusCode}: ${text}`));
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const thousands = (count: number): string => count.toLocaleString("en");
