// Forgetting over HTTP: one memory, one under a key, and many.
import { describe, expect, test } from "vitest";
import { OPEN } from "#core/identity/principal.ts";
import { forgetMany } from "#service/memories/forget.ts";
import { LONG_AGO, newMemory } from "#test/suites/records/samples.ts";
import { expectProblem } from "#test/support/bodies.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { post, send } from "#test/support/send.ts";
import { changingNothing, directoryForTest, serviceForTest } from "#test/support/service.ts";
import { testTenant } from "#test/support/tenant.ts";

const FACT = { namespace: "garden", content: "The hydrangea needs acid soil.", sourceAgent: "gardener" };
const EMPTY = { SEED: "none" };

/** Settings of a service on each database. */
const databases = {
  sqlite: async () => EMPTY,
  postgres: async () => ({ ...EMPTY, DATABASE_URL: (await databaseForTest()).url }),
};

describe("Forgetting many", () => {
  /** Services whose pages are small: each step looks at two rows. */
  function tenantWithShortSteps() {
    const tenant = testTenant();
    const { memories } = tenant.records;
    const page: typeof memories.page = (query) => memories.page({ ...query, limit: 2, scan: 2 });
    return { ...tenant, stored: { ...tenant.stored, memories: { ...memories, page } } };
  }
  type ShortSteps = ReturnType<typeof tenantWithShortSteps>;

  async function requestsFor(tenant: ShortSteps, query: Parameters<typeof forgetMany>[1]) {
    const forgotten: number[] = [];
    let cursor: string | undefined;
    do {
      const step = await forgetMany(tenant, { ...query, cursor }, { principal: OPEN });
      forgotten.push(step.forgotten);
      cursor = step.nextCursor;
    } while (cursor !== undefined && forgotten.length < 100);
    return forgotten;
  }

  const addOthers = async ({ records }: ShortSteps, count: number) => {
    for (let i = 0; i < count; i++) await records.memories.add(newMemory(`other ${i}`, { sourceAgent: "other" }));
  };

  test("ends although more rows than a request looks at match nothing", async () => {
    const tenant = tenantWithShortSteps();
    await addOthers(tenant, 30);
    const forgotten = await requestsFor(tenant, { namespace: "n", sourceAgent: "nobody" });
    expect(forgotten.length).toBeGreaterThan(2);
    expect(forgotten.length).toBeLessThan(30);
    expect(forgotten.every((count) => count === 0)).toBe(true);
  });

  test("finds what matches behind rows that do not, and superseded ones after the current ones", async () => {
    const tenant = tenantWithShortSteps();
    const { memories } = tenant.records;
    await memories.add(newMemory("first", { key: "k" }));
    await memories.add(newMemory("second", { key: "k" }));
    await addOthers(tenant, 20);
    const forgotten = await requestsFor(tenant, { namespace: "n", sourceAgent: "s" });
    expect(forgotten.reduce((sum, count) => sum + count)).toBe(2);
    expect((await memories.page({ limit: 100, sourceAgent: "s" })).memories).toEqual([]);
    expect((await memories.page({ limit: 100, superseded: true })).memories).toEqual([]);
    expect((await memories.page({ limit: 100 })).memories).toHaveLength(20);
  });

  test("takes no empty filter, of an agent neither: it would be all that the agent captured", async () => {
    const { url, adminKey, keyFor } = await keyedServiceForTest();
    const { key } = await keyFor("agent:gardener", { captures: ["garden"] });
    for (const bearer of [key, adminKey]) {
      const answer = await post(`${url}/api/memories/forget`, {}, { authorization: `Bearer ${bearer}` });
      expectProblem(answer, 400, "invalid-request", "#/");
    }
  });
});

describe.for(Object.entries(databases))("On %s", ([, settings]) => {
  test("a NUL in an id or a cursor is refused before it reaches the database", async () => {
    const { url } = await serviceForTest({ environment: await settings() });
    const capture = await post(`${url}/api/memories`, { ...FACT, supersedes: "mem\0" });
    expectProblem(capture, 400, "invalid-request", "#/supersedes");
    const many = await post(`${url}/api/memories/forget`, { namespace: "garden", cursor: "current.\0" });
    expectProblem(many, 400, "invalid-request", "#/cursor");
    expectProblem(await send(`${url}/api/namespaces?cursor=%00`), 400, "invalid-request");
    expectProblem(await send(`${url}/api/memories/mem%00`, { method: "DELETE" }), 400, "invalid-request");
  });

  test("a time whose year in UTC has five digits is refused: it would be in the past", async () => {
    const { url, client } = await serviceForTest({ environment: await settings() });
    const capture = await post(`${url}/api/memories`, { ...FACT, expiresAt: "9999-12-31T23:59:59-01:00" });
    expectProblem(capture, 400, "invalid-request", "#/expiresAt");
    const before = "0000-01-01T00:00:00+01:00";
    expectProblem(await post(`${url}/api/memories/forget`, { before }), 400, "invalid-request", "#/before");
    const { memory } = await client.capture({ ...FACT, expiresAt: "9999-12-31T23:59:59Z" });
    expect((await client.listMemories({ namespace: "garden" })).memories).toEqual([memory]);
  });

  test("a dry run counts what would be forgotten, superseded ones and anchored receipts too, and forgets nothing", async () => {
    const service = await serviceForTest({ environment: { ...(await settings()) } });
    const { client } = service;
    for (const content of [FACT.content, "It needs chalk."]) await client.capture({ ...FACT, content, key: "soil" });
    await client.setAccess({ agentId: "gardener", namespace: "garden", allowed: true });
    const { receipt } = await client.chat({ agentId: "gardener", query: "What does it need?" });
    await client.anchorReceipt({ receipt });
    const wanted = { namespace: "garden" };
    const counted = await changingNothing(service, () => client.forgetMemories({ ...wanted, dryRun: true }));
    expect(counted).toEqual({ dryRun: true, forgotten: 2, anchoredReceipts: 1 });
    expect(await client.forgetMemories({ ...wanted, dryRun: false })).toEqual({ forgotten: 2, anchoredReceipts: 1 });
  });

  test("a memory that has expired and is not swept can be forgotten, by its id and by its key", async () => {
    const { client, tenant } = await serviceForTest({ environment: await settings() });
    const expired = { sourceAgent: "gardener", namespace: "garden", expiresAt: LONG_AGO };
    const byId = await tenant.records.memories.add(newMemory("by id", expired));
    const named = await tenant.records.memories.add(newMemory("by key", { ...expired, key: "k" }));
    expect((await client.forgetMemory({ memoryId: byId.memoryId })).tombstone.memoryId).toBe(byId.memoryId);
    const forgotten = await client.forgetByKey({ name: "garden", key: "k" }, { sourceAgent: "gardener" });
    expect(forgotten.tombstone.memoryId).toBe(named.memoryId);
  });
});

test("an encrypted memory is forgotten by its id, by its key and among many in a service that has no key", async () => {
  const database = `${await directoryForTest()}/records.db`;
  const first = await serviceForTest({ database, environment: { ...EMPTY, ENCRYPTION_KEY: "5e".repeat(32) } });
  await first.client.putNamespace({ name: "garden" }, { encrypted: true });
  const { memory } = await first.client.capture(FACT);
  await first.client.capture({ ...FACT, key: "k" });
  await first.client.capture({ ...FACT, content: "The roses are cut in March." });
  await first.stop();
  const { client, tenant } = await serviceForTest({ database, environment: EMPTY });
  expect((await client.forgetMemory({ memoryId: memory.memoryId })).tombstone.cause).toBe("forgotten");
  await client.forgetByKey({ name: "garden", key: "k" }, { sourceAgent: "gardener" });
  expect(await client.forgetMemories({ namespace: "garden" })).toEqual({ forgotten: 1, anchoredReceipts: 0 });
  expect((await tenant.stored.memories.page({ limit: 10 })).memories).toEqual([]);
});

test("a namespace that is only described stays encrypted", async () => {
  const { client } = await serviceForTest({ environment: { ...EMPTY, ENCRYPTION_KEY: "5e".repeat(32) } });
  await client.putNamespace({ name: "garden" }, { encrypted: true });
  const { namespace } = await client.putNamespace({ name: "garden" }, { description: "What grows." });
  expect(namespace).toMatchObject({ encrypted: true, description: "What grows." });
  expect((await client.capture(FACT)).memory.encrypted).toBe(true);
});

test("a forgetting counts as a write for the limits", async () => {
  const { url, keyFor } = await keyedServiceForTest({ environment: { LIMIT_WRITES_PER_MINUTE: "2" } });
  const { key } = await keyFor("agent:gardener");
  const headers = { authorization: `Bearer ${key}` };
  const forget = (path: string) => send(`${url}${path}`, { method: "DELETE", headers });
  const statuses = [];
  for (const path of ["/api/memories/mem_a", "/api/namespaces/garden/keys/k", "/api/memories/mem_b"])
    statuses.push((await forget(path)).status);
  expect(statuses).toEqual([404, 404, 429]);
});
