// A search reads every memory, and whoever may search chooses the text. It must neither take quadratic time nor keep
// other requests waiting.

import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { OPEN } from "#core/identity/principal.ts";
import type { Memory } from "#core/memory.ts";
import { listMemories } from "#service/memories/read-memories.ts";
import { type Service, serviceForTest } from "#test/support/service.ts";

const STAMP = { by: "test", at: "2026-05-01T10:00:00.000Z" };
const LONGEST = 8_000;

async function serviceWith(contents: readonly string[]): Promise<Service> {
  const service = await serviceForTest();
  const { policy } = await service.client.getPolicy();
  const memories = contents.map(
    (content, i): Memory => ({
      memoryId: `mem_${String(i).padStart(26, "0")}`,
      storeRef: `blob-${i}`,
      namespace: `n${i % 100}`,
      content,
      sourceAgent: "teller",
      createdAt: STAMP.at,
      contentDigest: "00".repeat(32),
    }),
  );
  await service.tenant.records.reset(memories, policy, STAMP);
  await service.tenant.index.catchUp();
  return service;
}

/** How many turns of the event loop a job takes. In each, other requests are served. */
async function turnsOf(job: Promise<unknown>): Promise<number> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  job.then(end, end);
  let turns = 0;
  for (; !isDone; turns++) await nextTurn();
  return turns;
}

async function cpuOf(job: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await job();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const least = async (job: () => Promise<number>) => Math.min(await job(), await job(), await job());

test("a text that nearly matches everywhere takes about as long as one that matches nowhere", async () => {
  const { client } = await serviceWith(Array.from({ length: 300 }, () => "a".repeat(LONGEST)));
  const search = (q: string) => least(() => cpuOf(() => client.listMemories({ q })));
  const plain = await search("z".repeat(200));
  for (const q of [
    `${"a".repeat(199)}b`,
    `b${"a".repeat(199)}`,
    `${"a".repeat(100)}b${"a".repeat(99)}`,
    "%a_".repeat(66),
  ])
    expect(await search(q)).toBeLessThan(plain * 8);
});

test("a search of long memories lets others run in between, as often as the amount of text asks for", async () => {
  const { client, tenant } = await serviceWith(Array.from({ length: 600 }, () => "\u{1f600}".repeat(LONGEST / 2)));
  const { page } = tenant.records.memories;
  let reads = 0;
  Object.assign(tenant.records.memories, {
    page(query: Parameters<typeof page>[0]) {
      reads += 1;
      return page(query);
    },
  });
  const turns = await turnsOf(client.listMemories({ q: "needle" }));
  // 9.6 MB of text.
  expect(reads).toBeGreaterThanOrEqual(9);
  expect(turns).toBeGreaterThanOrEqual(reads);
});

test("each page of a list of everything is read in a turn of its own", async () => {
  const { url, tenant } = await serviceWith(Array.from({ length: 3_000 }, (_, i) => `Fact ${i}.`));
  const { page } = tenant.records.memories;
  const readIn: number[] = [];
  let turn = 0;
  Object.assign(tenant.records.memories, {
    page(query: Parameters<typeof page>[0]) {
      readIn.push(turn);
      return page(query);
    },
  });
  let isDone = false;
  const listing = fetch(`${url}/api/memories`)
    .then((response) => response.text())
    .finally(() => {
      isDone = true;
    });
  for (; !isDone; turn++) await nextTurn();
  expect(JSON.parse(await listing).memories).toHaveLength(3_000);
  expect(readIn.length).toBeGreaterThan(10);
  expect(new Set(readIn).size).toBe(readIn.length);
});

test("each page that a filter of a recall reads is read in a turn of its own", async () => {
  const { client, tenant } = await serviceWith(Array.from({ length: 3_000 }, (_, i) => `Fact ${i}.`));
  const rules = Array.from({ length: 50 }, (_, i) => ({ agentId: "reader", namespace: `n${i}`, allowed: true }));
  await client.setAccessBatch({ rules });
  const { page } = tenant.records.memories;
  const readIn: number[] = [];
  let turn = 0;
  Object.assign(tenant.records.memories, {
    page(query: Parameters<typeof page>[0]) {
      readIn.push(turn);
      return page(query);
    },
  });
  let isDone = false;
  const recalling = client.recall({ agentId: "reader", query: "Fact 7", sourceAgent: "teller" }).finally(() => {
    isDone = true;
  });
  for (; !isDone; turn++) await nextTurn();
  expect((await recalling).memories[0]?.content).toBe("Fact 7.");
  expect(readIn.length).toBeGreaterThan(10);
  expect(new Set(readIn).size).toBe(readIn.length);
});

test("a search ends when its client goes away", async () => {
  const { tenant } = await serviceWith(Array.from({ length: 20_000 }, (_, i) => `Fact ${i}.`));
  const { page } = tenant.records.memories;
  const controller = new AbortController();
  let reads = 0;
  Object.assign(tenant.records.memories, {
    page(query: Parameters<typeof page>[0]) {
      reads += 1;
      if (reads === 2) controller.abort();
      return page(query);
    },
  });
  const call = { principal: OPEN, signal: () => controller.signal };
  const searching = listMemories(tenant, call, { q: "needle", limit: 10 });
  await expect(searching).rejects.toMatchObject({ name: "AbortError" });
  expect(reads).toBe(2);
});

test("pages of long memories have them all", async () => {
  const contents = Array.from({ length: 300 }, (_, i) => `${i} ${"x".repeat(LONGEST - 10)}`);
  const { client } = await serviceWith(contents);
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listMemories({ limit: 1_000, sourceAgent: "teller", ...(cursor && { cursor }) });
    found.push(...page.memories.map(({ content }) => content));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(found).toEqual(contents.toReversed());
});

test("the view of an agent with very many namespaces has all that it may use", async () => {
  const { client, tenant } = await serviceWith(Array.from({ length: 3_000 }, (_, i) => `Fact ${i}.`));
  const rules = Array.from({ length: 100 }, (_, i) => ({ [`n${i}`]: i % 2 === 0 }));
  const { memories } = await tenant.records.memories.page({ limit: 3_000 });
  await tenant.records.reset(memories.toReversed(), { many: Object.assign({}, ...rules) }, STAMP);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listMemories({ limit: 1_000, viewAs: "many", ...(cursor && { cursor }) });
    seen.push(...page.memories.map(({ content }) => content));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(
    memories.filter(({ namespace }) => Number(namespace.slice(1)) % 2 === 0).map(({ content }) => content),
  );
});
