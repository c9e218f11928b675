// Two real processes on one PostgreSQL, in mock mode: each knows what the other has stored, answered or anchored.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "#contract/client/client.ts";
import { fetchWithoutKeepAlive } from "#test/support/fetch-without-keep-alive.ts";
import { databaseWithSchema, type TestDatabase } from "#test/support/postgres/databases.ts";
import { type ServiceProcess, startServiceProcess } from "#test/support/service-process.ts";
import { verificationOf } from "#test/support/verification-of.ts";

const GARDEN = { namespace: "garden", content: "The blue hydrangea needs acid soil.", sourceAgent: "gardener" };
const ASK = { agentId: "gardener", query: "Which soil does the hydrangea need?" };

interface Replica {
  readonly process: ServiceProcess;
  readonly client: Client;
  readonly url: string;
}

/** The tests use them one after another; the last one kills `a`. PostgreSQL knows their sessions as `a` and `b`. */
let [a, b]: [Replica, Replica] = [] as never;
let database: TestDatabase;
let directory: string;

beforeAll(async () => {
  database = await databaseWithSchema();
  directory = await mkdtemp(join(tmpdir(), "portcullis-replicas-"));
  const start = async (name: string): Promise<Replica> => {
    const named = Object.assign(new URL(database.url), { search: `?application_name=${name}` }).href;
    const environment = { PORT: "0", SERVICE_MODE: "mock", SEED: "demo", DATABASE_URL: named };
    const process = startServiceProcess(directory, environment);
    const url = await process.ready();
    // A process that stood still on a busy machine loses sessions, and says "Try again shortly".
    return { process, client: createClient({ baseUrl: url, fetch: fetchWithoutKeepAlive, retries: 3 }), url };
  };
  // At the same time, on an empty database.
  [a, b] = await Promise.all([start("a"), start("b")]);
});
afterAll(async () => {
  await Promise.all([a, b].map((replica) => replica?.process.kill("SIGKILL")));
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

test("two replicas that start at once on an empty database write what it begins with once", async () => {
  for (const { client } of [a, b]) expect((await client.listMemories()).memories).toHaveLength(14);
});

test("a memory that one replica captured is used, verified and intact at the other", async () => {
  const { memory } = await a.client.capture(GARDEN);
  await b.client.setAccess({ agentId: "gardener", namespace: "garden", allowed: true });
  for (const { client, url } of [b, a]) {
    const { receipt } = await client.chat(ASK);
    expect(receipt.usedMemories).toMatchObject([{ memoryId: memory.memoryId, verified: true, intact: true }]);
    expect((await fetchWithoutKeepAlive(`${url}/v1/blobs/${memory.storeRef}`)).status).toBe(200);
  }
});

test("a receipt that one replica issued is anchored through the other, and verified through both", async () => {
  const { receipt } = await a.client.chat({ agentId: "assistant", query: "What is planned for dinner on Friday?" });
  const anchored = await b.client.anchorOnChain({ receipt });
  expect(anchored.allAuthorized).toBe(true);
  for (const replica of [a, b]) {
    expect(await verificationOf(replica.client, anchored.receiptId)).toMatchObject({ verdict: "verified", receipt });
  }
  expect(await a.client.anchorReceipt({ receipt })).toMatchObject({ blobId: anchored.storeBlob, verified: true });
});

test("two replicas that capture, answer and anchor at the same time then show the same memories and transactions", async () => {
  const replicas = [a, b] as const;
  await a.client.setAccess({ agentId: "planter", namespace: "beds", allowed: true });
  const work = Array.from({ length: 24 }, async (_, i) => {
    const [here, there] = [replicas[i % 2] as Replica, replicas[(i + 1) % 2] as Replica];
    await here.client.capture({ ...GARDEN, namespace: "beds", content: `Bed ${i} of the hydrangea has acid soil.` });
    const { receipt } = await there.client.chat({ ...ASK, agentId: "planter" });
    expect(receipt.usedMemories.length).toBeGreaterThan(0);
    expect(receipt.usedMemories.every(({ verified, intact }) => verified && intact)).toBe(true);
    const { receiptId } = await here.client.anchorOnChain({ receipt });
    expect(await verificationOf(there.client, receiptId)).toMatchObject({ verdict: "verified" });
    return receiptId;
  });
  const receiptIds = await Promise.all(work);
  expect(new Set(receiptIds).size).toBe(24);
  expect(await b.client.ledgerTransactions()).toEqual(await a.client.ledgerTransactions());
  expect(await b.client.listMemories()).toEqual(await a.client.listMemories());
});

test("the anchors that a killed replica left pending are finished with the next anchor of the other", async () => {
  const { receipt } = await a.client.chat({ agentId: "assistant", query: "What is planned for dinner on Friday?" });
  const requests = () => database.run("SELECT receipt_id FROM portcullis.chain_requests");
  const before = (await requests()).length;
  const anchoring = Array.from({ length: 8 }, (_, i) =>
    a.client.anchorOnChain({ receipt: { ...receipt, answerId: `ans_${i}` } }).catch(() => undefined),
  );
  await expect.poll(async () => (await requests()).length).toBeGreaterThan(before);
  await a.process.kill("SIGKILL");
  const answered = (await Promise.all(anchoring)).filter((each) => each !== undefined);
  // A session of the killed process may still commit what it was sent.
  const sessions = () =>
    database.run("SELECT FROM pg_stat_activity WHERE application_name LIKE 'a %' AND datname = current_database()");
  await expect.poll(sessions).toHaveLength(0);

  const last = await b.client.anchorOnChain({ receipt });
  for (const { receiptId } of [...answered, last]) {
    expect((await fetchWithoutKeepAlive(`${b.url}/ledger/object/${receiptId}`)).status).toBe(200);
  }
  const pending = (await requests()).filter(({ receipt_id }) => receipt_id === null);
  expect(pending).toEqual([]);
});
