// Stopped in good order or killed: what was acknowledged is there after a restart, and still verifies.
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Client, createClient } from "#contract/client/client.ts";
import { sortedJson } from "#test/support/reference-encoding.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";

const GARDEN = { namespace: "garden", content: "The blue hydrangea needs acid soil.", sourceAgent: "gardener" };
const ASK = { agentId: "gardener", query: "Which soil does the hydrangea need?" };

/** Does a bit of everything, and answers with all that there is to see afterwards. */
async function live(client: Client) {
  await client.capture(GARDEN);
  await client.setAccess({ agentId: "gardener", namespace: "garden", allowed: true });
  await client.setAccess({ agentId: "companion", namespace: "health", allowed: false });
  const { receipt } = await client.chat(ASK);
  const { blobId } = await client.anchorReceipt({ receipt });
  return { receipt, blobId, memories: await client.listMemories(), policy: await client.getPolicy() };
}

async function expectAllThere(url: string, { receipt, blobId, memories, policy }: Awaited<ReturnType<typeof live>>) {
  const client = createClient({ baseUrl: url });
  expect(await client.listMemories()).toEqual(memories);
  expect(await client.getPolicy()).toEqual(policy);
  expect(await (await fetch(`${url}/v1/blobs/${blobId}`)).text()).toBe(sortedJson(receipt));
  for (const { storeRef } of memories.memories) expect((await fetch(`${url}/v1/blobs/${storeRef}`)).status).toBe(200);
  expect(await client.anchorReceipt({ receipt })).toEqual({ blobId, verified: true });

  const again = await client.chat(ASK);
  expect(again.receipt.usedMemories).toEqual(receipt.usedMemories);
  expect(again.receipt.usedMemories).toMatchObject([{ verified: true, intact: true }]);
  expect(again.receipt.evidence).toEqual(receipt.evidence);
  expect((await client.companion({ query: "Hello?" })).answer).toMatch(/^You have closed health to me/);
}

test("A restart with the same database finds everything, and everything still verifies", async () => {
  const database = join(await directoryForTest(), "memories.db");
  const first = await serviceForTest({ database });
  const seen = await live(first.client);
  await first.stop();

  const second = await serviceForTest({ database });
  await expectAllThere(second.url, seen);
  const anchors = await second.deps.records.anchors.page({ limit: 10 });
  expect(anchors).toMatchObject([{ blobId: seen.blobId, issued: true }]);
});

test("After a reset and a restart, receipts and anchors of before are still there", async () => {
  const database = join(await directoryForTest(), "memories.db");
  const first = await serviceForTest({ database });
  const { receipt, blobId, policy } = await live(first.client);
  await first.client.resetDemo();
  const reset = await first.client.getPolicy();
  await first.stop();

  const second = await serviceForTest({ database });
  expect(reset.version).toBeGreaterThan(policy.version);
  expect(await second.client.getPolicy()).toEqual(reset);
  expect((await second.client.listMemories()).memories).toHaveLength(14);
  expect(await (await fetch(`${second.url}/v1/blobs/${blobId}`)).text()).toBe(sortedJson(receipt));
  expect(await second.deps.records.receipts.isIssued(receipt.answerId, (await anchorOf(second)).body)).toBe(true);
});

async function anchorOf({ deps }: Awaited<ReturnType<typeof serviceForTest>>) {
  const [anchor] = await deps.records.anchors.page({ limit: 1 });
  return anchor ?? expect.fail("there is an anchor");
}

test("A process that is killed has lost nothing that it had acknowledged", async () => {
  const directory = await directoryForTest();
  const environment = { PORT: "0", DATABASE_URL: join(directory, "memories.db") };
  const first = serviceProcessForTest(directory, environment);
  const seen = await live(createClient({ baseUrl: await first.ready() }));
  first.kill("SIGKILL");
  expect(await first.exited).toMatchObject({ signal: "SIGKILL" });

  const second = serviceProcessForTest(directory, environment);
  await expectAllThere(await second.ready(), seen);
});
