// Whether the process was stopped or killed: what it acknowledged is there after a restart, and still verifies.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Client, createClient } from "#contract/client/client.ts";
import { sortedJson } from "#test/support/reference-encoding.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";

const GARDEN = { namespace: "garden", content: "The blue hydrangea needs acid soil.", sourceAgent: "gardener" };
const ASK = { agentId: "gardener", query: "Which soil does the hydrangea need?" };

/** Uses every kind of record, and returns everything that must be the same after a restart. */
async function useEverything(client: Client) {
  await client.capture(GARDEN);
  await client.setAccess({ agentId: "gardener", namespace: "garden", allowed: true });
  await client.setAccess({ agentId: "companion", namespace: "health", allowed: false });
  const { receipt } = await client.chat(ASK);
  const { blobId } = await client.anchorReceipt({ receipt });
  return { receipt, blobId, memories: await client.listMemories(), policy: await client.getPolicy() };
}

async function expectUnchanged(
  url: string,
  { receipt, blobId, memories, policy }: Awaited<ReturnType<typeof useEverything>>,
) {
  const client = createClient({ baseUrl: url });
  expect(await client.listMemories()).toEqual(memories);
  expect(await client.getPolicy()).toEqual(policy);
  expect(await (await fetch(`${url}/v1/blobs/${blobId}`)).text()).toBe(sortedJson(receipt));
  for (const { storeRef } of memories.memories) expect((await fetch(`${url}/v1/blobs/${storeRef}`)).status).toBe(200);
  expect(await client.anchorReceipt({ receipt })).toEqual({ blobId, verified: true, storedUntil: null });

  const again = await client.chat(ASK);
  expect(again.receipt.usedMemories).toEqual(receipt.usedMemories);
  expect(again.receipt.usedMemories).toMatchObject([{ verified: true, intact: true }]);
  const { commitments, salts, log, ...evidence } = receipt.evidence;
  expect(again.receipt.evidence).toMatchObject({ ...evidence, log: { origin: log?.origin } });
  expect(again.receipt.signature.keyId).toBe(receipt.signature.keyId);
  expect((await client.companion({ query: "Hello?" })).answer).toMatch(/^You have closed health to me/);
}

test("after a restart with the same database, everything is there and still verifies", async () => {
  const database = join(await directoryForTest(), "memories.db");
  const first = await serviceForTest({ database });
  const before = await useEverything(first.client);
  await first.stop();

  const second = await serviceForTest({ database });
  await expectUnchanged(second.url, before);
  const anchors = await second.tenant.records.anchors.page({ limit: 10 });
  expect(anchors).toMatchObject([{ blobId: before.blobId, issued: true }]);
});

test("after a reset and a restart, earlier receipts and anchors are still there", async () => {
  const database = join(await directoryForTest(), "memories.db");
  const first = await serviceForTest({ database });
  const { receipt, blobId, policy } = await useEverything(first.client);
  await first.client.resetDemo();
  const reset = await first.client.getPolicy();
  await first.stop();

  const second = await serviceForTest({ database });
  expect(reset.version).toBeGreaterThan(policy.version);
  expect(await second.client.getPolicy()).toEqual(reset);
  expect((await second.client.listMemories()).memories).toHaveLength(14);
  expect(await (await fetch(`${second.url}/v1/blobs/${blobId}`)).text()).toBe(sortedJson(receipt));
  expect((await anchorOf(second)).issued).toBe(true);
});

async function anchorOf({ tenant }: Awaited<ReturnType<typeof serviceForTest>>) {
  const [anchor] = await tenant.records.anchors.page({ limit: 1 });
  return anchor ?? expect.fail("there is an anchor");
}

test("a killed process loses nothing that it acknowledged", async () => {
  const directory = await directoryForTest();
  const environment = { PORT: "0", DATABASE_URL: join(directory, "memories.db") };
  const first = serviceProcessForTest(directory, environment);
  const before = await useEverything(createClient({ baseUrl: await first.ready() }));
  first.kill("SIGKILL");
  expect(await first.exited).toMatchObject({ signal: "SIGKILL" });

  const second = serviceProcessForTest(directory, environment);
  await expectUnchanged(await second.ready(), before);
});

test("the verify.html that it sends is in the log, once, however often it starts", async () => {
  const directory = await directoryForTest();
  for (let starts = 0; starts < 2; starts += 1) {
    const child = serviceProcessForTest(directory, { PORT: "0", DATABASE_URL: join(directory, "records.db") });
    const url = await child.ready();
    const page = new Uint8Array(await (await fetch(`${url}/verify.html`)).arrayBuffer());
    const sha256 = createHash("sha256").update(page).digest("hex");
    const client = createClient({ baseUrl: url });
    const named = async () => {
      const { entries } = await client.listLogEntries({ chain: "deployment", limit: 100 });
      return entries.map(({ body }) => JSON.parse(body)).filter(({ kind }) => kind === "verifier");
    };
    await expect.poll(named).toMatchObject([{ sha256 }]);
    await child.kill("SIGKILL");
  }
});
