// Two real processes on one PostgreSQL, in mock mode: what one of them has stored, answered or anchored, the other knows.
import { expect, onTestFinished, test } from "vitest";
import { type Client, createClient } from "#contract/client/client.ts";
import { freshDatabase, type TestDatabase } from "#test/support/postgres/databases.ts";
import { directoryForTest } from "#test/support/service.ts";
import { type Child, startChild } from "#test/support/service-process.ts";

const GARDEN = { namespace: "garden", content: "The blue hydrangea needs acid soil.", sourceAgent: "gardener" };
const ASK = { agentId: "gardener", query: "Which soil does the hydrangea need?" };

interface Replica {
  readonly child: Child;
  readonly client: Client;
  readonly url: string;
}

/** Started at once, on a database that nobody has used yet. */
async function twoReplicas(): Promise<[Replica, Replica, TestDatabase]> {
  const [database, directory] = [await freshDatabase(), await directoryForTest()];
  onTestFinished(database.drop);
  const start = async (): Promise<Replica> => {
    const child = startChild(directory, { PORT: "0", SERVICE_MODE: "mock", DATABASE_URL: database.url });
    const url = await child.ready();
    return { child, client: createClient({ baseUrl: url }), url };
  };
  const [a, b] = await Promise.all([start(), start()]);
  return [a, b, database];
}

test("What is captured through one is used, verified and intact through the other", async () => {
  const [a, b] = await twoReplicas();
  expect((await b.client.listMemories()).memories).toHaveLength(14);
  const { memory } = await a.client.capture(GARDEN);
  await b.client.setAccess({ agentId: "gardener", namespace: "garden", allowed: true });
  for (const { client, url } of [b, a]) {
    const { receipt } = await client.chat(ASK);
    expect(receipt.usedMemories).toMatchObject([{ memoryId: memory.memoryId, verified: true, intact: true }]);
    expect((await fetch(`${url}/v1/blobs/${memory.storeRef}`)).status).toBe(200);
  }
});

test("A receipt that one has answered is anchored through the other, and verified through the first", async () => {
  const [a, b] = await twoReplicas();
  const { receipt } = await a.client.chat({ agentId: "assistant", query: "What is planned for dinner on Friday?" });
  const anchored = await b.client.anchorOnChain({ receipt });
  expect(anchored.allAuthorized).toBe(true);
  for (const { client } of [a, b]) {
    const verification = await client.verify({ receiptId: anchored.receiptId });
    expect(verification).toMatchObject({ verdict: "verified", receipt });
  }
  expect(await a.client.anchorReceipt({ receipt })).toEqual({ blobId: anchored.storeBlob, verified: true });
});

test("Both capture, answer and anchor at once, and then show the same", async () => {
  const [a, b] = await twoReplicas();
  const replicas = [a, b] as const;
  await a.client.setAccess({ agentId: "gardener", namespace: "garden", allowed: true });
  const work = Array.from({ length: 24 }, async (_, i) => {
    const [here, there] = [replicas[i % 2] as Replica, replicas[(i + 1) % 2] as Replica];
    await here.client.capture({ ...GARDEN, content: `Bed ${i} of the hydrangea has acid soil.` });
    const { receipt } = await there.client.chat(ASK);
    expect(receipt.usedMemories.length).toBeGreaterThan(0);
    expect(receipt.usedMemories.every(({ verified, intact }) => verified && intact)).toBe(true);
    const { receiptId } = await here.client.anchorOnChain({ receipt });
    expect((await there.client.verify({ receiptId })).verdict).toBe("verified");
    return receiptId;
  });
  const receiptIds = await Promise.all(work);
  expect(new Set(receiptIds).size).toBe(24);
  expect(await b.client.ledgerTransactions()).toEqual(await a.client.ledgerTransactions());
  expect(await b.client.listMemories()).toEqual(await a.client.listMemories());
});

test("What was asked of a process that is killed meanwhile is anchored with what is asked of the other", async () => {
  const [a, b, database] = await twoReplicas();
  const { receipt } = await a.client.chat({ agentId: "assistant", query: "What is planned for dinner on Friday?" });
  const requests = () => database.run("SELECT receipt_id FROM portcullis.chain_requests");
  const asked = Array.from({ length: 8 }, (_, i) =>
    a.client.anchorOnChain({ receipt: { ...receipt, answerId: `ans_${i}` } }).catch(() => undefined),
  );
  await expect.poll(requests).not.toHaveLength(0);
  a.child.kill("SIGKILL");
  await a.child.exited;
  const answered = (await Promise.all(asked)).filter((each) => each !== undefined);

  const last = await b.client.anchorOnChain({ receipt });
  for (const { receiptId } of [...answered, last]) {
    expect((await fetch(`${b.url}/ledger/object/${receiptId}`)).status).toBe(200);
  }
  const left = (await requests()).filter(({ receipt_id }) => receipt_id === null);
  expect(left).toEqual([]);
});
