// The whole service on a Walrus that misbehaves: what chat, capture, anchor and import do, knob by knob. Nothing is on
// record without its blob, nothing that was answered is lost, and nobody waits past the deadline.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { walrusBlobs } from "#adapters/blobs/walrus/index.ts";
import type { ImportReply } from "#contract/client/import-stream.ts";
import { RECEIPT } from "#test/support/bodies.ts";
import { post } from "#test/support/send.ts";
import { type Service, startService } from "#test/support/service.ts";
import { type Fault, startWalrusStandIn, type WalrusStandIn } from "#test/support/walrus-stand-in/index.ts";

const PATIENCE = { storeMs: 1_200, readMs: 600, storePauseMs: 10, readPauseMs: 10 };
/** What the machine itself may add to a deadline: 10 %, and what a busy test machine takes to notice. */
const slack = (ms: number) => ms * 1.1 + 250;

let walrus: WalrusStandIn;
let service: Service;

beforeEach(async () => {
  walrus = await startWalrusStandIn();
  const { publisherUrl: publisher, aggregatorUrl } = walrus;
  const blobs = walrusBlobs({ publisher, aggregators: [aggregatorUrl], patience: PATIENCE });
  service = await startService({ overrides: { blobs } });
});
afterEach(async () => {
  await service.stop();
  await walrus.close();
});

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const began = performance.now();
  return { result: await work(), ms: performance.now() - began };
}

const ASK = { agentId: "assistant", query: "What is planned for dinner on Friday?" };
const FACT = { namespace: "diet", content: "Loves mango sticky rice.", sourceAgent: "assistant" };

/** Every memory on record has its blob in the store. */
async function expectNothingWithoutItsBlob(): Promise<void> {
  const { memories } = await service.client.listMemories();
  for (const { storeRef } of memories) expect(walrus.find(storeRef)).toBeDefined();
}

describe("When reading goes wrong, chat answers all the same, and verifies nothing that it has not seen:", () => {
  const cases: readonly (readonly [Fault | "dead", verified: boolean])[] = [
    ["hang", false],
    ["reset", false],
    ["truncate", false],
    ["endless", false],
    ["too-many-requests", false],
    ["unavailable", false],
    ["forbidden", false],
    ["redirect", false],
    ["wrong-bytes", true],
    ["dead", false],
  ];

  test.for(cases)("%s", async ([fault, verified]) => {
    if (fault === "dead") await walrus.close();
    else Object.assign(walrus.knobs.get, { fault });
    const { result, ms } = await timed(() => service.client.chat(ASK));
    expect(ms).toBeLessThan(slack(PATIENCE.readMs));
    expect(result.answer).toContain("Dinner on Friday");
    expect(result.receipt.usedMemories.length).toBeGreaterThan(0);
    for (const used of result.receipt.usedMemories) expect(used).toMatchObject({ verified, intact: false });
  });

  test("a burst that ends is waited out", async () => {
    Object.assign(walrus.knobs.get, { fault: "unavailable", times: 5 });
    const { receipt } = await service.client.chat(ASK);
    expect(receipt.usedMemories.every(({ verified, intact }) => verified && intact)).toBe(true);
  });
});

describe("When storing goes wrong, nothing is recorded, and the problem says so in time:", () => {
  const faults: readonly Fault[] = ["hang", "reset", "error-in-200", "too-many-requests", "unavailable", "redirect"];

  test.for(faults)("capture: %s", async (fault) => {
    Object.assign(walrus.knobs.put, { fault });
    const { result, ms } = await timed(() => post(`${service.url}/api/memories`, FACT));
    expect(ms).toBeLessThan(slack(PATIENCE.storeMs));
    expect(JSON.parse(result.text)).toMatchObject({ code: "blob-store-failed", status: 502 });
    expect((await service.client.listMemories()).memories).toHaveLength(14);
    await expectNothingWithoutItsBlob();
  });

  test.for(["/api/anchor", "/api/anchor-chain"].flatMap((path) => faults.map((fault) => [path, fault] as const)))(
    "%s: %s",
    async ([path, fault]) => {
      Object.assign(walrus.knobs.put, { fault });
      const { result, ms } = await timed(() => post(`${service.url}${path}`, { receipt: RECEIPT }));
      expect(ms).toBeLessThan(slack(PATIENCE.storeMs));
      expect(JSON.parse(result.text)).toMatchObject({ code: "blob-store-failed", status: 502 });
      expect(await service.deps.records.anchors.page({ limit: 10 })).toEqual([]);
      expect(await service.deps.records.chainAnchors.pending()).toEqual([]);
    },
  );

  test.for(faults)("import: %s, and every line says so", async (fault) => {
    Object.assign(walrus.knobs.put, { fault });
    const facts = Array.from({ length: 12 }, (_, i) => ({ ...FACT, content: `Fact ${i}.` }));
    const results: ImportReply[] = [];
    const { ms } = await timed(async () => {
      for await (const result of service.client.importMemories(facts)) results.push(result);
    });
    expect(ms).toBeLessThan(slack(PATIENCE.storeMs));
    expect(results.map(({ problem }) => problem?.code)).toEqual(facts.map(() => "blob-store-failed"));
    expect((await service.client.listMemories()).memories).toHaveLength(14);
  });

  test("import: the lines that met a fault fail, the others are stored, and the results say which", async () => {
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

test("An anchor is verified although a cache says for a moment that there is no such blob", async () => {
  const { receipt } = await service.client.chat(ASK);
  walrus.knobs.cachedNotFounds = 2;
  expect((await service.client.anchorReceipt({ receipt })).verified).toBe(true);
});

test("An anchored receipt whose blob is gone or altered is not verified; one that nobody answers for is unknown", async () => {
  const { receipt } = await service.client.chat(ASK);
  const { receiptId } = await service.client.anchorOnChain({ receipt });
  const verdict = async () => (await service.client.verify({ receiptId })).verdict;
  expect(await verdict()).toBe("verified");
  walrus.knobs.get.fault = "wrong-bytes";
  expect(await verdict()).toBe("failed");
  walrus.knobs.get.fault = "hang";
  expect(await verdict()).toBe("unknown");
  walrus.knobs.clear();
  walrus.knobs.epoch += 100;
  expect(await verdict()).toBe("failed");
});

test("What the publisher told of a blob's end is on record, and renewing brings back what has expired", async () => {
  const { memory } = await service.client.capture(FACT);
  const lease = await service.deps.records.leases.find(memory.storeRef);
  expect(lease).toMatchObject({ endEpoch: walrus.knobs.epoch + 5, objectId: expect.stringMatching(/^0x/) });
  walrus.knobs.epoch += 10;
  expect(await service.deps.blobs.get(memory.storeRef)).toBeUndefined();
  const { renew } = await import("#service/operations/renew-blobs.ts");
  for await (const { status } of renew(service.deps, { since: new Date(Date.now() + 1_000) }))
    expect(status).toBe("renewed");
  expect(await service.deps.blobs.get(memory.storeRef)).toBeDefined();
});
