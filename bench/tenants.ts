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
import {
  copyTenant,
  createDatabase,
  type RawDatabase,
  rawPostgres,
  rawSqlite,
  TEMPLATE,
  tenantIdOf,
} from "./support/many-tenants.ts";
import { residentMemory } from "./support/process-usage.ts";
import { type Server, startServiceWith } from "./support/servers.ts";
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
const BOUND_MB = 32;
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
        const figures: Figure[] = [];
        for (const make of [sqliteOf(createTemporaryFolder()), postgresOf(createTemporaryFolder(), postgres.url)])
          figures.push(...(await measure(make, counts, progress)));
        return {
          figures,
          notes: [
            "One tenant is filled by the API, and its rows are copied. Ratios are to a deployment of one tenant that runs beside.",
            `Starts alternate with those of that one, and so do ${CHATS} chats in one tenant, with the first one in each of ${COLD} others.`,
          ],
        };
      } finally {
        await postgres.stop();
      }
    },
  };
}

/** Deployments by their names: the one under test, and that of one tenant. */
type Deployments = (name: string) => Promise<DeploymentUnderTest>;

const sqliteOf =
  (folder: string): Deployments =>
  async (name) => {
    const path = join(folder, `${name}.db`);
    return { kind: "SQLite", folder, database: path, open: async () => rawSqlite(path) };
  };

const postgresOf =
  (folder: string, server: string): Deployments =>
  async (name) => {
    await createDatabase(server, name);
    const url = server.replace(/\/postgres$/, `/${name}`);
    return { kind: "PostgreSQL", folder, database: url, open: () => rawPostgres(url) };
  };

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

/** What was measured of a deployment, and at the same time of one with one tenant. */
interface Measured {
  readonly ready: readonly number[];
  readonly readyOfOne: readonly number[];
  readonly resident: readonly number[];
  readonly residentWarm: number | undefined;
  readonly residentBounded: number | undefined;
  readonly warm: readonly number[];
  readonly warmOfOne: readonly number[];
  readonly cold: readonly number[];
  readonly created: readonly number[];
  readonly bytes: number;
}

async function measure(make: Deployments, counts: readonly number[], progress: Progress): Promise<Figure[]> {
  const [deployment, one] = [await make("many"), await make("one")];
  const { kind, folder, database, open } = deployment;
  const say = (what: string) => progress(`tenants: ${kind}, ${what}`);
  for (const each of [deployment, one]) {
    say("filling one tenant");
    await withService(each, ({ url }) => fillTemplate(url));
  }
  await copiesIn(one, 1, say);
  const figures: Figure[] = [];
  let had = 0;
  for (const count of counts) {
    const bytes = (await copiesIn(deployment, count, say)) / (count - had);
    had = count;
    figures.push(
      ...figuresOf(`${kind}, ${thousands(count)}`, { ...(await measureCount(deployment, one, count, say)), bytes }),
    );
    // What was made meanwhile is in the way of the next size.
    const cleaned = await open();
    await cleaned.run("DELETE FROM tenants WHERE id LIKE 'new%'");
    await cleaned.close();
  }
  say(`deleting a tenant of ${thousands(LARGE)} memories`);
  figures.push(...(await withService({ folder, database }, (server) => measureDeletion(kind, server))));
  return figures;
}

/** Answers with the bytes that the copies took. */
async function copiesIn({ open }: DeploymentUnderTest, count: number, say: (what: string) => void): Promise<number> {
  const raw = await open();
  const before = await raw.bytes();
  await copyTenant(raw, count, (copied) => say(`copied ${thousands(copied)} of ${thousands(count)} tenants`));
  const bytes = (await raw.bytes()) - before;
  await raw.close();
  return bytes;
}

async function withService<T>(
  { folder, database }: Pick<DeploymentUnderTest, "folder" | "database">,
  work: (server: Server) => Promise<T>,
  environment: Readonly<Record<string, string>> = {},
): Promise<T> {
  const all = { DATABASE_URL: database, SEED: "demo", ...environment };
  const server = await startServiceWith(folder, all, { isLogged: true });
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
  deployment: DeploymentUnderTest,
  one: DeploymentUnderTest,
  count: number,
  say: (what: string) => void,
): Promise<Omit<Measured, "bytes">> {
  const [ready, readyOfOne, resident]: [number[], number[], number[]] = [[], [], []];
  for (let i = 0; i < STARTS; i++) {
    say(`${thousands(count)} tenants, start ${i + 1} of ${STARTS}`);
    readyOfOne.push(await withService(one, async ({ readyAfterMs }) => readyAfterMs));
    await withService(deployment, async ({ pid, readyAfterMs }) => {
      await sleep(IDLE_MS);
      ready.push(readyAfterMs);
      resident.push(residentMemory(pid) ?? Number.NaN);
    });
  }
  say(`${thousands(count)} tenants, chats`);
  const measured = await withService(one, (beside) =>
    withService(deployment, (server) => measureChats(server, beside, count)),
  );
  if (count < WARM) return { ready, readyOfOne, resident, residentBounded: undefined, ...measured };
  say(`${thousands(count)} tenants, chats in ${thousands(WARM)} of them with INDEX_MEMORY=${BOUND_MB}`);
  const chatInAll = async ({ url, pid }: Server) => {
    const { chat, close } = chats(url);
    for (let i = 0; i < WARM; i++) await chat(i);
    close();
    return residentMemory(pid);
  };
  const residentBounded = await withService(deployment, chatInAll, { INDEX_MEMORY: `${BOUND_MB}` });
  return { ready, readyOfOne, resident, residentBounded, ...measured };
}

function chats(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    agent,
    chat: (tenant: number) => timed(agent, url, "/api/chat", QUESTION, tenantIdOf(tenant)),
    close: () => agent.destroy(),
  };
}

async function measureChats({ url, pid }: Server, beside: Server, count: number) {
  const { agent, chat, close } = chats(url);
  const { chat: chatOfOne, close: closeOfOne } = chats(beside.url);
  for (let i = 0; i < WARM_UP; i++) {
    await chat(0);
    await chatOfOne(0);
  }
  const [warm, warmOfOne, cold]: [number[], number[], number[]] = [[], [], []];
  for (let i = 1; i <= CHATS; i++) {
    warm.push(await chat(0));
    warmOfOne.push(await chatOfOne(0));
    if (i <= Math.min(COLD, count - 1)) cold.push(await chat(i));
  }
  for (let i = COLD + 1; i < Math.min(WARM, count); i++) await chat(i);
  const residentWarm = residentMemory(pid);
  const created: number[] = [];
  for (let i = 0; i < CREATED; i++)
    created.push(await timed(agent, url, "/api/tenants", JSON.stringify({ id: `new${count}-${i}` })));
  close();
  closeOfOne();
  return { residentWarm, warm, warmOfOne, cold, created };
}

function figuresOf(label: string, measured: Measured): Figure[] {
  const { ready, readyOfOne, resident, residentWarm, residentBounded, warm, warmOfOne, cold, created, bytes } =
    measured;
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
    figure("ready / that of one", undefined, [median(ready) / median(readyOfOne)], { under: 1.5 }),
    figure("resident at rest", "MB", resident),
    figure("resident with its first 1,000 warm", "MB", residentWarm === undefined ? [] : [residentWarm]),
    figure(`the same with INDEX_MEMORY=${BOUND_MB}`, "MB", residentBounded === undefined ? [] : [residentBounded]),
    figure("chat in a warm tenant, p50", "ms", of(warm, 0.5)),
    figure("chat in a warm tenant, p95", "ms", of(warm, 0.95)),
    figure("p50 / that of one", undefined, [median(warm) / median(warmOfOne)], { under: 1.1 }),
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
