// A proof that verified goes on to verify, whatever happens to the memories and to the process: as long as the receipt is
// on record, so are the blobs that it names.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reset } from "#service/operations/reset.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { writeReleasedDatabase } from "#test/support/released-database.ts";
import { send } from "#test/support/send.ts";
import { directoryForTest, type Service, serviceForTest } from "#test/support/service.ts";

const FACT = { namespace: "garden", content: `The blue hydrangea needs acid soil. ${"It is old. ".repeat(40)}` };
const ASK = { agentId: "gardener", query: "Which soil does the hydrangea need?" };

const DATABASES: Readonly<Record<string, () => Promise<string>>> = {
  SQLite: async () => join(await directoryForTest(), "records.db"),
  PostgreSQL: async () => (await databaseForTest()).url,
};

async function askInGarden({ client }: Service) {
  await client.capture({ ...FACT, sourceAgent: "gardener" });
  await client.setAccess({ agentId: "gardener", namespace: "garden", allowed: true });
  const { receipt } = await client.chat(ASK);
  expect(receipt.usedMemories).toMatchObject([{ namespace: "garden", verified: true, intact: true }]);
  return receipt;
}

const blobStatus = async ({ url }: Service, blobId = "") => (await send(`${url}/v1/blobs/${blobId}`)).status;

async function expectVerified({ client }: Service, receiptId: string) {
  const { verdict, checks } = await client.verify({ receiptId });
  expect(checks.filter(({ status }) => status !== "pass")).toEqual([]);
  expect(verdict).toBe("verified");
}

describe.for(Object.entries(DATABASES))("with %s", ([, newDatabase]) => {
  test("a receipt that was anchored verifies after a reset and a restart", async () => {
    const database = await newDatabase();
    const first = await serviceForTest({ database });
    const { receiptId } = await first.client.anchorOnChain({ receipt: await askInGarden(first) });
    await expectVerified(first, receiptId);
    await first.client.resetDemo();
    await first.stop();

    const second = await serviceForTest({ database });
    expect((await second.client.listMemories()).memories.map(({ namespace }) => namespace)).not.toContain("garden");
    await expectVerified(second, receiptId);
    // Resets that follow keep it, too.
    await second.client.resetDemo();
    await second.stop();
    await expectVerified(await serviceForTest({ database }), receiptId);
  });

  test("a receipt whose memories a reset forgot shows no text, and cannot be anchored in the open form", async () => {
    const database = await newDatabase();
    const first = await serviceForTest({ database });
    const { answerId } = await askInGarden(first);
    await first.client.resetDemo();
    await first.stop();

    const second = await serviceForTest({ database });
    const { receipt } = await second.client.getReceipt({ answerId });
    expect(receipt.usedMemories.map(({ snippet }) => snippet)).toEqual([undefined]);
    await expect(second.client.anchorOnChain({ answerId })).rejects.toMatchObject({ code: "memory-forgotten" });
  });

  test("a forgotten memory is gone", async () => {
    const database = await newDatabase();
    const first = await serviceForTest({ database });
    const { memory } = await first.client.capture({ ...FACT, sourceAgent: "gardener" });
    await first.client.resetDemo();
    await first.stop();
    expect(await blobStatus(await serviceForTest({ database }), memory.storeRef)).toBe(404);
  });

  test("what receipts name of forgotten memories is in no list, no recall and no count", async () => {
    const service = await serviceForTest({ database: await newDatabase() });
    const { usedMemories } = await askInGarden(service);
    await service.client.resetDemo();
    const { client, deps } = service;
    await client.setAccess({ agentId: "gardener", namespace: "garden", allowed: true });
    expect((await client.recall(ASK)).memories).toEqual([]);
    expect((await client.listMemories({ q: "hydrangea" })).memories).toEqual([]);
    expect((await deps.records.memories.counts()).byNamespace.has("garden")).toBe(false);
    expect(await deps.records.memories.find(usedMemories[0]?.memoryId ?? "")).toBeUndefined();
  });

  test("a reset that leaves nothing at all keeps proofs", async () => {
    const database = await newDatabase();
    const first = await serviceForTest({ database });
    const { receipt } = await first.client.chat({ agentId: "assistant", query: "What is planned for dinner?" });
    const { receiptId } = await first.client.anchorOnChain({ receipt });
    await reset({ ...first.deps, seed: "none" }, "test");
    expect((await first.deps.records.memories.counts()).byNamespace.size).toBe(0);
    await first.stop();
    const second = await serviceForTest({ database, environment: { SEED: "none" } });
    await expectVerified(second, receiptId);
  });
});

describe("a database of the last release", () => {
  async function releasedDatabase() {
    const database = join(await directoryForTest(), "records.db");
    writeReleasedDatabase(database);
    return database;
  }

  const onLedger = async ({ client }: Service) => {
    const { receipts } = await client.listReceipts({ limit: 100 });
    return receipts.flatMap(({ chain }) => chain.map(({ receiptId }) => receiptId));
  };

  test("has the same verdicts after the upgrade, and after a reset and a restart", async () => {
    const database = await releasedDatabase();
    const first = await serviceForTest({ database });
    const ids = await onLedger(first);
    expect(ids.length).toBeGreaterThan(0);
    const verdictsOf = async ({ client }: Service) =>
      Promise.all(ids.map(async (receiptId) => (await client.verify({ receiptId })).verdict));
    const before = await verdictsOf(first);
    // They have no signature: nothing fails, and they are not green.
    expect(new Set(before)).toEqual(new Set(["unknown"]));
    await first.client.resetDemo();
    await first.stop();
    expect(await verdictsOf(await serviceForTest({ database }))).toEqual(before);
  });
});
