// A proof that verified does not fail later, whatever happens to the memories and to the process. Of memories that were
// forgotten the verifier has the service's word, and all other checks pass.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reset } from "#service/operations/reset.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
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

async function expectForgotten({ client }: Service, receiptId: string) {
  const { verdict, checks } = await client.verify({ receiptId });
  for (const { name, code } of checks)
    expect([name, code]).toEqual([name, name === "memory" ? "memory-forgotten" : undefined]);
  expect(verdict).toBe("unknown");
}

describe.for(Object.entries(DATABASES))("with %s", ([, newDatabase]) => {
  test("a receipt that was anchored is in no doubt but for its forgotten memory, after a reset and a restart", async () => {
    const database = await newDatabase();
    const first = await serviceForTest({ database });
    const { receiptId } = await first.client.anchorOnChain({ receipt: await askInGarden(first) });
    await expectVerified(first, receiptId);
    await first.client.resetDemo();
    await first.stop();

    const second = await serviceForTest({ database });
    expect((await second.client.listMemories()).memories.map(({ namespace }) => namespace)).not.toContain("garden");
    await expectForgotten(second, receiptId);
    // Resets that follow keep it, too.
    await second.client.resetDemo();
    await second.stop();
    await expectForgotten(await serviceForTest({ database }), receiptId);
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
    const { client, tenant } = service;
    await client.setAccess({ agentId: "gardener", namespace: "garden", allowed: true });
    expect((await client.recall(ASK)).memories).toEqual([]);
    expect((await client.listMemories({ q: "hydrangea" })).memories).toEqual([]);
    expect((await tenant.records.memories.counts()).byNamespace.has("garden")).toBe(false);
    expect(await tenant.records.memories.find(usedMemories[0]?.memoryId ?? "")).toBeUndefined();
  });

  test("a reset that leaves nothing at all keeps proofs", async () => {
    const database = await newDatabase();
    const first = await serviceForTest({ database });
    const { receipt } = await first.client.chat({ agentId: "assistant", query: "What is planned for dinner?" });
    const { receiptId } = await first.client.anchorOnChain({ receipt });
    await reset({ ...first.tenant, settings: { ...first.tenant.settings, seed: "none" } }, "test");
    expect((await first.tenant.records.memories.counts()).byNamespace.size).toBe(0);
    await first.stop();
    const second = await serviceForTest({ database, environment: { SEED: "none" } });
    await expectForgotten(second, receiptId);
  });
});
