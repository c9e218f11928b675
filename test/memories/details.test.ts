// When a fact holds, and its metadata: on both databases, from the capture to the forgetting.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { digestHex } from "#core/encoding/digest.ts";
import { expectProblem } from "#test/support/bodies.ts";
import { cellsOfPostgres, cellsOfSqlite } from "#test/support/confirmed-guesses.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { post, problemIn } from "#test/support/send.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";
import { differencesIn, exportOf, importInto } from "#test/transfer/exported.ts";

const METADATA: Record<string, string | number | boolean> = JSON.parse(
  '{"__proto__":"hostile","constructor":0.75,"topic":"canarymeta","urgent":true}',
);
const FACT = { namespace: "trips", content: "Flew to Lisbon.", sourceAgent: "planner" };
const DETAILS = { occurredAt: "2024-02-03", metadata: METADATA };

const databases = {
  async sqlite() {
    const url = join(await directoryForTest(), "records.db");
    return { url, cells: async () => cellsOfSqlite(url) };
  },
  async postgres() {
    const { url, run } = await databaseForTest();
    return { url, cells: () => cellsOfPostgres(run) };
  },
};

describe.each(Object.entries(databases))("On %s", (_, makeDatabase) => {
  const started = async (environment: Record<string, string> = {}) => {
    const { url: database, cells } = await makeDatabase();
    const service = await serviceForTest({ database, environment: { SEED: "none", ...environment } });
    for (const namespace of ["trips", "vault"])
      await service.client.setAccess({ agentId: "planner", namespace, allowed: true });
    return { cells, ...service };
  };

  test("both are captured, listed, recalled, exported, imported, corrected and forgotten", async () => {
    const { client, url, tenant } = await started();
    const { memory } = await client.capture({ ...FACT, ...DETAILS });
    expect(memory).toMatchObject(DETAILS);
    expect(Object.entries(memory.metadata ?? {})).toEqual(Object.entries(METADATA));
    const bytes = Buffer.from(await (await fetch(`${url}/v1/blobs/${memory.storeRef}`)).arrayBuffer());
    expect(bytes.toString()).toBe(canonicalJson({ ...FACT, ...DETAILS }));
    expect(memory.contentDigest).toBe(digestHex(bytes));

    // With other details it is another fact; with the same ones it is the same.
    const other = await client.capture(FACT);
    expect(other.memory.memoryId).not.toBe(memory.memoryId);
    expect(other.memory).not.toHaveProperty("metadata");
    expect((await client.capture({ ...FACT, ...DETAILS })).memory.memoryId).toBe(memory.memoryId);
    await client.forgetMemory({ memoryId: other.memory.memoryId });

    expect((await client.listMemories()).memories).toEqual([memory]);
    const recalled = await client.recall({ agentId: "planner", query: "Lisbon" });
    expect(recalled.memories).toMatchObject([memory]);

    const to = await serviceForTest({ environment: { SEED: "none" } });
    const { text, trailer } = await exportOf(client);
    await importInto(to.client, text, { key: trailer.signature.keyId });
    expect((await to.client.getMemory({ memoryId: memory.memoryId })).memory).toEqual(memory);

    const corrected = await client.capture({
      ...FACT,
      occurredAt: "2024-02-04T10:00:00+02:00",
      supersedes: memory.memoryId,
    });
    expect(corrected.memory).toMatchObject({ occurredAt: "2024-02-04T08:00:00.000Z" });
    expect((await client.listMemories({ superseded: "true" })).memories).toMatchObject([DETAILS]);
    await client.forgetMemory({ memoryId: memory.memoryId });
    expect(await tenant.records.blobTexts.find(memory.storeRef)).toBeUndefined();
    expect(await differencesIn({ tenant })).toEqual([]);
  });

  test("in an encrypted namespace neither is in the clear", async () => {
    const { client, cells, url } = await started({ ENCRYPTION_KEY: "c4".repeat(32) });
    await client.capture({ ...FACT, ...DETAILS });
    await client.putNamespace({ name: "trips" }, { encrypted: true });
    await client.putNamespace({ name: "vault" }, { encrypted: true });
    await client.capture({ ...FACT, ...DETAILS, namespace: "vault" });
    const { memories } = await client.listMemories();
    expect(memories).toMatchObject([
      { ...DETAILS, namespace: "vault", encrypted: true },
      { ...DETAILS, namespace: "trips", encrypted: true },
    ]);
    for (const { storeRef } of memories)
      expect(await (await fetch(`${url}/v1/blobs/${storeRef}`)).text()).not.toContain("canarymeta");
    const stored = (await cells()).map(([, value]) => String(value)).join("\n");
    expect(stored).not.toContain("canarymeta");
    expect(stored).not.toContain("2024-02-03");
  });
});

test("a receipt of a memory with details is verified", async () => {
  const { client } = await serviceForTest();
  const fact = { ...FACT, namespace: "travel", content: "The canary flight to Lisbon left at noon.", ...DETAILS };
  await client.capture(fact);
  const { receipt } = await client.chat({ agentId: "assistant", query: "When did the canary flight leave?" });
  expect(receipt.usedMemories.map(({ snippet }) => snippet)).toContain(fact.content);
  const { receiptId } = await client.anchorOnChain({ receipt });
  expect(await client.verify({ receiptId })).toMatchObject({ verdict: "verified" });
});

test("the ranking reads when a fact occurred, where the question has a date", async () => {
  const { client } = await serviceForTest({ environment: { SEED: "none" } });
  await client.setAccess({ agentId: "planner", namespace: "trips", allowed: true });
  const capture = (content: string, occurredAt: string) => client.capture({ ...FACT, content, occurredAt });
  await capture("Visited the museum with Ana.", "2023-05-07");
  await capture("Visited the museum with Ben.", "2023-09-20");
  const best = async (query: string) => (await client.recall({ agentId: "planner", query })).memories[0];
  expect(await best("Who visited the museum on 7 May 2023?")).toMatchObject({
    content: "Visited the museum with Ana.",
    why: { date: true },
  });
  expect(await best("Who visited the museum in September 2023?")).toMatchObject({
    content: "Visited the museum with Ben.",
  });
});

test("a question with a date finds what occurred then, without a word of it", async () => {
  const { client } = await serviceForTest({ environment: { SEED: "none" } });
  await client.setAccess({ agentId: "planner", namespace: "trips", allowed: true });
  for (let i = 1; i <= 20; i++) {
    const content = `Walked around lake number ${i}.`;
    await client.capture({
      ...FACT,
      content,
      occurredAt: `2025-${i % 2 === 0 ? "10" : "11"}-${String(i).padStart(2, "0")}`,
    });
  }
  await client.capture({ ...FACT, content: "Flew to Lisbon.", occurredAt: "2026-02-03T23:00:00Z" });
  await client.capture({ ...FACT, content: "Paid the plumber.", occurredAt: "2026-03-19" });
  const best = async (query: string) => (await client.recall({ agentId: "planner", query })).memories[0]?.content;
  expect(await best("What happened on 3 February 2026?")).toBe("Flew to Lisbon.");
  expect(await best("What happened on 2026-03-19?")).toBe("Paid the plumber.");
  expect(await best("What did I do in March 2026?")).toBe("Paid the plumber.");
});

test.each([
  ["occurredAt", { occurredAt: "yesterday" }],
  ["occurredAt", { occurredAt: "2024-02-30" }],
  ["metadata", { metadata: "topic" }],
  ["metadata/topic", { metadata: { topic: [1] } }],
  ["metadata/__proto__", JSON.parse('{"metadata":{"__proto__":{"a":1}}}')],
])("a wrong %s is refused, by its name, and with what it must be", async (pointer, details) => {
  const { url } = await serviceForTest();
  const reply = await post(`${url}/api/memories`, { ...FACT, ...details });
  expectProblem(reply, 400, "invalid-request", `#/${pointer}`);
  expect(problemIn(reply).errors?.[0]?.detail).not.toBe("Invalid input");
});
