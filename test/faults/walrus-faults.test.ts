// The whole service on a Walrus that misbehaves, fault by fault. Nothing is recorded without its blob, no answer is
// lost, and no caller waits past the deadline.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { walrusBlobs } from "#adapters/blobs/walrus/walrus-blobs.ts";
import type { ImportReply } from "#contract/client/imports.ts";
import type { BlobStore } from "#ports.ts";
import { renew } from "#service/operations/renew-blobs.ts";
import { atDeadline } from "#test/support/at-deadline.ts";
import { RECEIPT } from "#test/support/bodies.ts";
import { post } from "#test/support/send.ts";
import { type Service, startService } from "#test/support/service.ts";
import { type Fault, startWalrusStandIn, type WalrusStandIn } from "#test/support/walrus-stand-in/walrus-stand-in.ts";

/** Deadlines that no busy machine reaches. */
const TIMEOUTS = { storeMs: 60_000, readMs: 30_000, storePauseMs: 5, readPauseMs: 5 };

let walrus: WalrusStandIn;
let service: Service;
let blobs: BlobStore;

const storeWith = (timeouts: { storeMs: number; readMs: number }) =>
  walrusBlobs({ publisher: walrus.publisherUrl, aggregators: [walrus.aggregatorUrl], timeouts });

/** For a Walrus that hangs: its deadline passes soon. */
const withShortDeadlines = () => storeWith({ ...TIMEOUTS, storeMs: 300, readMs: 300 });

beforeEach(async () => {
  walrus = await startWalrusStandIn();
  blobs = storeWith(TIMEOUTS);
  const { putConcurrency } = blobs;
  const current: BlobStore = {
    putConcurrency,
    put: (...args) => blobs.put(...args),
    get: (...args) => blobs.get(...args),
  };
  service = await startService({ overrides: { blobs: current } });
});
afterEach(async () => {
  await service.stop();
  await walrus.close();
});

const ASK = { agentId: "assistant", query: "What is planned for dinner on Friday?" };
const FACT = { namespace: "diet", content: "Loves mango sticky rice.", sourceAgent: "assistant" };

/** Every memory on record has its blob in the store. */
async function expectNothingWithoutItsBlob(): Promise<void> {
  const { memories } = await service.client.listMemories();
  for (const { storeRef } of memories) expect(walrus.find(storeRef)).toBeDefined();
}

describe("chat answers when reading blobs goes wrong, and marks those blobs as verified that the aggregator has:", () => {
  type Answer = Awaited<ReturnType<Service["client"]["chat"]>>;
  function expectAnswer({ answer, receipt }: Answer, verified: boolean): void {
    expect(answer).toContain("Dinner on Friday");
    expect(receipt.usedMemories.length).toBeGreaterThan(0);
    for (const used of receipt.usedMemories) expect(used).toMatchObject({ verified, intact: false });
  }

  const cases: readonly (readonly [Fault | "closed", verified: boolean])[] = [
    ["reset", false],
    ["truncate", false],
    ["too-many-requests", false],
    ["unavailable", false],
    ["forbidden", false],
    ["redirect", false],
    ["wrong-bytes", true],
    // A successful status means that the blob resolves, whatever its size. It is read up to a limit only.
    ["endless", true],
    ["closed", false],
  ];

  test.for(cases)("%s", async ([fault, verified]) => {
    if (fault === "closed") await walrus.close();
    else Object.assign(walrus.knobs.get, { fault });
    expectAnswer(await service.client.chat(ASK), verified);
  });

  test("hang: the answer comes at the deadline of the reads", async () => {
    const { receipt } = await service.client.chat(ASK);
    walrus.traffic.clear();
    walrus.knobs.get.fault = "hang";
    const areReceived = () => walrus.traffic.get.requests === receipt.usedMemories.length;
    const answer = await atDeadline(TIMEOUTS.readMs, areReceived, () => post(`${service.url}/api/chat`, ASK));
    expectAnswer(JSON.parse(answer.text), false);
  });

  test("unavailable for a short time: the reads are retried", async () => {
    Object.assign(walrus.knobs.get, { fault: "unavailable", times: 5 });
    const { receipt } = await service.client.chat(ASK);
    expect(receipt.usedMemories.every(({ verified, intact }) => verified && intact)).toBe(true);
  });
});

describe("nothing is recorded when storing a blob goes wrong, and the caller gets a problem:", () => {
  const faults: readonly Fault[] = ["hang", "reset", "error-in-200", "too-many-requests", "unavailable", "redirect"];

  /** A fault other than a hang gives the problem at once, and a hang at the deadline of the store. */
  async function expectProblem(path: string, body: unknown, fault: Fault): Promise<void> {
    walrus.traffic.clear();
    Object.assign(walrus.knobs.put, { fault });
    const send = () => post(`${service.url}${path}`, body);
    const isReceived = () => walrus.traffic.put.requests === 1;
    const { text } = fault === "hang" ? await atDeadline(TIMEOUTS.storeMs, isReceived, send) : await send();
    expect(JSON.parse(text)).toMatchObject({ code: "blob-store-failed", status: 502 });
  }

  test.for(faults)("capture: %s", async (fault) => {
    await expectProblem("/api/memories", FACT, fault);
    expect((await service.client.listMemories()).memories).toHaveLength(14);
    await expectNothingWithoutItsBlob();
  });

  test.for(["/api/anchor", "/api/anchor-chain"].flatMap((path) => faults.map((fault) => [path, fault] as const)))(
    "%s: %s",
    async ([path, fault]) => {
      await expectProblem(path, { receipt: RECEIPT }, fault);
      expect(await service.tenant.records.anchors.page({ limit: 10 })).toEqual([]);
      expect(await service.tenant.records.chainAnchors.pending()).toEqual([]);
    },
  );

  test.for(faults)("import: %s, for every line", async (fault) => {
    if (fault === "hang") blobs = withShortDeadlines();
    Object.assign(walrus.knobs.put, { fault });
    const facts = Array.from({ length: 12 }, (_, i) => ({ ...FACT, content: `Fact ${i}.` }));
    const results: ImportReply[] = [];
    for await (const result of service.client.importMemories(facts)) results.push(result);
    expect(results.map(({ problem }) => problem?.code)).toEqual(facts.map(() => "blob-store-failed"));
    expect((await service.client.listMemories()).memories).toHaveLength(14);
  });

  test("import: only the lines that met the fault fail, and the results say which", async () => {
    Object.assign(walrus.knobs.put, { fault: "error-in-200", times: 7 });
    const facts = Array.from({ length: 30 }, (_, i) => ({ ...FACT, content: `Fact ${i}.` }));
    const results: ImportReply[] = [];
    for await (const result of service.client.importMemories(facts)) results.push(result);
    expect(results).toHaveLength(30);
    const stored = results.flatMap(({ memory }) => memory?.content ?? []);
    expect(stored.length).toBeGreaterThanOrEqual(30 - 7);
    const { memories } = await service.client.listMemories();
    expect(
      memories
        .filter(({ content }) => content.startsWith("Fact "))
        .map(({ content }) => content)
        .sort(),
    ).toEqual(stored.toSorted());
    await expectNothingWithoutItsBlob();
  });
});

test("an anchor is verified after a cached 404 has expired", async () => {
  const { receipt } = await service.client.chat(ASK);
  walrus.knobs.cachedNotFounds = 2;
  expect((await service.client.anchorReceipt({ receipt })).verified).toBe(true);
});

test("the verdict of an anchored receipt is failed when its blob is altered or gone, and unknown when Walrus hangs", async () => {
  const { receipt } = await service.client.chat(ASK);
  const { receiptId } = await service.client.anchorOnChain({ receipt });
  const verdict = async () => (await service.client.verify({ receiptId })).verdict;
  expect(await verdict()).toBe("verified");
  walrus.knobs.get.fault = "wrong-bytes";
  expect(await verdict()).toBe("failed");
  walrus.knobs.get.fault = "hang";
  blobs = withShortDeadlines();
  expect(await verdict()).toBe("unknown");
  blobs = storeWith(TIMEOUTS);
  walrus.knobs.clear();
  walrus.knobs.epoch += 100;
  expect(await verdict()).toBe("failed");
});

test("the publisher's end epoch and object are recorded as a lease, and renewing stores expired blobs again", async () => {
  const { memory } = await service.client.capture(FACT);
  const lease = await service.tenant.records.leases.find(memory.storeRef);
  expect(lease).toMatchObject({ endEpoch: walrus.knobs.epoch + 5, objectId: expect.stringMatching(/^0x/) });
  walrus.knobs.epoch += 10;
  expect(await service.tenant.blobs.get(memory.storeRef)).toBeUndefined();
  for await (const { status } of renew(service.tenant, { since: new Date(Date.now() + 1_000) }))
    expect(status).toBe("renewed");
  expect(await service.tenant.blobs.get(memory.storeRef)).toBeDefined();
});
