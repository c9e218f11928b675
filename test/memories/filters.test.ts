// Filters of namespaces, source agents, times and metadata, and recall as of a time: on both databases, also of what is
// encrypted.
import { describe, expect, test } from "vitest";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import { expectProblem } from "#test/support/bodies.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { isCommitted } from "#test/support/reference-encoding.ts";
import { send } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";
import { exportOf } from "#test/transfer/exported.ts";

const FACTS = [
  { namespace: "trips/2024", content: "Dinner in Lisbon.", sourceAgent: "planner", occurredAt: "2024-05-07" },
  { namespace: "trips/2025", content: "Dinner in Rome.", sourceAgent: "planner", occurredAt: "2025-05-07" },
  { namespace: "trips", content: "Dinner in Paris.", sourceAgent: "planner", metadata: { topic: "food", stars: 3 } },
  { namespace: "vault", content: "Dinner in Berlin.", sourceAgent: "planner", metadata: { topic: "food", stars: 5 } },
  {
    namespace: "diet",
    content: "Dinner without nuts.",
    sourceAgent: "cook",
    metadata: { topic: "x" },
  },
];

const FILTERS = [
  [{ namespacePrefix: "trips" }, ["Lisbon", "Rome", "Paris"]],
  [{ sourceAgent: "cook" }, ["nuts"]],
  [{ occurredFrom: "2025-01-01" }, ["Rome"]],
  [{ occurredTo: "2024-05-07" }, ["Lisbon"]],
  [{ metadata: { topic: "food" } }, ["Paris", "Berlin"]],
  [{ metadata: { stars: 5 } }, ["Berlin"]],
  [{ namespacePrefix: "trips", metadata: { topic: "food" } }, ["Paris"]],
  [{ metadata: { constructor: "food" } }, []],
] as const;

type Issued = Parameters<typeof isCommitted>[0];

const databases = { sqlite: async () => ({}), postgres: async () => ({ DATABASE_URL: (await databaseForTest()).url }) };

const ENVIRONMENT = { SEED: "none", ENCRYPTION_KEY: "c4".repeat(32) };
const placeOf = (content: string) => /(\w+)\.$/.exec(content)?.[1] ?? "";
const placesOf = (memories: readonly { readonly content: string }[]) =>
  memories.map(({ content }) => placeOf(content)).sort();

describe.each(Object.entries(databases))("On %s", (_, settings) => {
  async function filled() {
    const service = await serviceForTest({ environment: { ...ENVIRONMENT, ...(await settings()) } });
    await service.client.putNamespace({ name: "vault" }, { encrypted: true });
    for (const namespace of ["trips/2024", "trips/2025", "trips", "vault", "diet"])
      await service.client.setAccess({ agentId: "planner", namespace, allowed: true });
    for (const fact of FACTS) await service.client.capture(fact);
    return service;
  }

  test("lists, recalls and exports hold what a filter lets pass, and a forget forgets that alone", async () => {
    const { client } = await filled();
    for (const [filter, places] of FILTERS) {
      const expected = [...places].sort();
      expect(placesOf((await client.listMemories(filter)).memories)).toEqual(expected);
      expect(placesOf((await client.listMemories({ ...filter, viewAs: "planner" })).memories)).toEqual(expected);
      const recalled = await client.recall({ agentId: "planner", query: "Dinner", limit: 12, ...filter });
      expect(placesOf(recalled.memories)).toEqual(expected);
      expect(isCommitted(recalled as Issued, "/filters", filter)).toBe(true);
      const exported = await exportOf(client, { ...filter, decrypt: "true" });
      const memories = exported.records.flatMap((record) => (record.kind === "memory" ? record.memory : []));
      expect(placesOf(memories)).toEqual(expected);
      expect(Object.keys(exported.header.filter).sort()).toEqual([...Object.keys(filter), "decrypt"].sort());
    }
    const answered = await client.chat({ agentId: "planner", query: "Dinner?", metadata: { stars: 3 } });
    expect(answered.answer).toContain("Paris");
    expect(isCommitted(answered, "/filters", { metadata: { stars: 3 } })).toBe(true);
    const [decision] = (await client.listDecisions()).decisions;
    expect(decision).toMatchObject({
      answerId: answered.receipt.answerId,
      details: { filters: { metadata: ["stars"] } },
    });
    const plain = await client.recall({ agentId: "planner", query: "Dinner?" });
    expect(Object.keys((plain.receipt as AnswerReceipt).evidence.commitments)).toEqual(["/answer", "/question"]);
    expect((await client.listDecisions()).decisions[0]).not.toHaveProperty("details");
    const before = (await client.listMemories()).memories.length;
    expect(await client.forgetMemories({ metadata: { stars: 5 }, dryRun: true })).toMatchObject({ forgotten: 1 });
    expect(await client.forgetMemories({ metadata: { stars: 5 } })).toMatchObject({ forgotten: 1 });
    expect((await client.listMemories()).memories).toHaveLength(before - 1);
    expect((await client.listMemories({ metadata: { stars: 5 } })).memories).toEqual([]);
  });

  test("as of a time, what was current then is recalled, with what it says now of its successor", async () => {
    const { client } = await filled();
    const fact = { namespace: "trips", sourceAgent: "planner", key: "hotel" };
    const { memory: old } = await client.capture({ ...fact, content: "The hotel is the Astoria." });
    const asOf = new Date(Date.parse(old.createdAt) + 1).toISOString();
    while (new Date().toISOString() <= asOf) await new Promise(setImmediate);
    const { memory: corrected } = await client.capture({ ...fact, content: "The hotel is the Bristol." });
    const hotels = async (bounds: object = {}) =>
      (await client.recall({ agentId: "planner", query: "Which hotel?", ...bounds })).memories
        .map(({ memoryId }) => memoryId)
        .filter((id) => [old.memoryId, corrected.memoryId].includes(id));
    expect(await hotels()).toEqual([corrected.memoryId]);
    expect(await hotels({ asOf })).toEqual([old.memoryId]);
    expect(await hotels({ asOf: "2020-01-01" })).toEqual([]);
    await client.setAccess({ agentId: "planner", namespace: "trips", allowed: false });
    expect(await hotels({ asOf })).toEqual([]);
    await client.setAccess({ agentId: "planner", namespace: "trips", allowed: true });
    await client.forgetMemory({ memoryId: old.memoryId });
    expect(await hotels({ asOf })).toEqual([]);
  });
});

test("a URL names members of metadata, once each", async () => {
  const { url } = await serviceForTest();
  const list = (query: string) => send(`${url}/api/memories?${query}`);
  for (const query of ["metadata.topic=a", "metadata[topic]=a", "metadata.__proto__=a"])
    expect((await list(query)).status).toBe(200);
  expectProblem(await list("metadata.topic=a&metadata.topic=b"), 400, "invalid-request");
  expectProblem(await list("metadata=a"), 400, "invalid-request");
  expectProblem(await list("metadata.=a"), 400, "invalid-request");
});
