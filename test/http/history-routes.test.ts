// The routes that only read: the change log, receipts with their anchors, the overview, and what the service runs on.
import { describe, expect, test, vi } from "vitest";
import { aboutOf } from "#about.ts";
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import { readConfig } from "#config.ts";
import { allPages } from "#test/support/all-pages.ts";
import { expectProblem } from "#test/support/bodies.ts";
import { send } from "#test/support/send.ts";
import { type Service, serviceForTest } from "#test/support/service.ts";
import packageJson from "../../package.json" with { type: "json" };

const DINNER = "What is planned for dinner on Friday?";

type Filter = Omit<NonNullable<Parameters<Service["client"]["listReceipts"]>[0]>, "limit" | "cursor">;

const ids = ({ client }: Service, filter: Filter = {}, limit = 100) =>
  allPages(async (page) => {
    const { receipts, nextCursor } = await client.listReceipts({ limit, ...filter, ...page });
    return { found: receipts.map(({ receipt }) => receipt.answerId), nextCursor };
  });

async function ask({ client }: Service, agentId: string): Promise<string> {
  return (await client.chat({ agentId, query: DINNER })).receipt.answerId;
}

const newestFirst = (answerIds: readonly string[]) => answerIds.toSorted().reverse();

describe("The change log", () => {
  test("says who changed what, newest first, and its pages neither lose nor repeat a rule of a reset", async () => {
    const { client } = await serviceForTest();
    await client.setAccess({ agentId: "planner", namespace: "health", allowed: true });
    await client.setAccess({ agentId: "__proto__", namespace: "n", allowed: true });
    await client.resetDemo();
    const { changes, nextCursor } = await client.listPolicyChanges({ limit: 1_000 });
    expect(nextCursor).toBeUndefined();
    expect(changes.slice(0, 4)).toMatchObject([
      { version: 4, agentId: "__proto__", namespace: "n", from: true, to: null, by: "api" },
      { version: 4, agentId: "planner", namespace: "health", from: true, to: false },
      { version: 3, agentId: "__proto__", from: null, to: true },
      { version: 2, agentId: "planner", from: false, to: true, at: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
    expect(changes.slice(4).every(({ version, by }) => version === 1 && by === "first start")).toBe(true);
    for (const limit of [1, 3, 7]) {
      const walked = await allPages(async (page) => {
        const read = await client.listPolicyChanges({ limit, ...page });
        return { found: read.changes, nextCursor: read.nextCursor };
      });
      expect(walked).toEqual(changes);
    }
  });

  test.for(["0", "1.", "1.x", ".1", "-1", "1.1.1"])("refuses the cursor %s", async (cursor) => {
    const { url } = await serviceForTest();
    expectProblem(await send(`${url}/api/policy/changes?cursor=${cursor}`), 400, "invalid-request");
  });
});

describe("Receipts", () => {
  test("are listed as they were issued, newest first, page by page", async () => {
    const service = await serviceForTest();
    const { client } = service;
    const { receipt, opening } = await client.chat({ agentId: "assistant", query: DINNER });
    expect(await client.getReceipt({ answerId: receipt.answerId })).toEqual({
      receipt,
      opening,
      status: "issued",
      anchor: null,
      chain: [],
      pending: 0,
    });
    const others: string[] = [];
    for (const agentId of ["planner", "assistant", "advisor", "planner"]) others.push(await ask(service, agentId));
    const all = newestFirst([receipt.answerId, ...others]);
    expect(await ids(service)).toEqual(all);
    expect(await ids(service, {}, 2)).toEqual(all);
    // A list has no openings: whoever wants one asks for its receipt.
    expect((await client.listReceipts()).receipts.every((entry) => !("opening" in entry))).toBe(true);
  });

  test("stay after a reset, and an unknown id is a 404", async () => {
    const service = await serviceForTest();
    expect(await ids(service)).toEqual([]);
    const answerId = await ask(service, "assistant");
    await service.client.resetDemo();
    expect(await ids(service)).toEqual([answerId]);
    expectProblem(await send(`${service.url}/api/receipts/ans_nothing`), 404, "not-found");
    expectProblem(await send(`${service.url}/api/receipts/a%20b`), 400, "invalid-request");
  });

  test("are found by agent, and by a namespace that was used or blocked", async () => {
    const service = await serviceForTest();
    const [assistant, planner] = [await ask(service, "assistant"), await ask(service, "planner")];
    const { receipt } = await service.client.companion({ query: DINNER });
    expect(await ids(service, { agentId: "planner" })).toEqual([planner]);
    expect(await ids(service, { agentId: "companion" })).toEqual([receipt.answerId]);
    expect(await ids(service, { agentId: "Planner" })).toEqual([]);
    expect(await ids(service, { namespace: "finance" })).toEqual(newestFirst([assistant, planner, receipt.answerId]));
    expect(await ids(service, { namespace: "finance", agentId: "planner" })).toEqual([planner]);
    expect(await ids(service, { namespace: "fin" })).toEqual([]);
  });

  test("are found by whether all their memories were verified and intact when they were issued", async () => {
    const blobs = memoryBlobs();
    let lost = (_: string): boolean => false;
    const get: typeof blobs.get = async (blobId) => (lost(blobId) ? undefined : blobs.get(blobId));
    const service = await serviceForTest({ overrides: { blobs: { ...blobs, get } } });
    const whole = await ask(service, "assistant");
    const { memories } = await service.client.listMemories({ q: "satay", namespace: "diet" });
    lost = (blobId) => blobId === memories[0]?.storeRef;
    const unverified = await ask(service, "assistant");
    lost = () => false;
    const altered: typeof blobs.get = async () => new TextEncoder().encode("something else");
    Object.assign(service.tenant.blobs, { get: altered });
    const notIntact = await ask(service, "assistant");
    expect(await ids(service, { verified: "yes" })).toEqual([whole]);
    expect(await ids(service, { verified: "no" })).toEqual(newestFirst([unverified, notIntact]));
  });

  test("are listed with their anchors, and found by them", async () => {
    const service = await serviceForTest();
    const { client } = service;
    const plain = await ask(service, "assistant");
    const [{ receipt: stored }, { receipt: onLedger }] = [
      await client.chat({ agentId: "planner", query: DINNER }),
      await client.chat({ agentId: "assistant", query: DINNER }),
    ];
    const { blobId } = await client.anchorReceipt({ receipt: stored });
    const good = await client.anchorOnChain({ receipt: onLedger });
    const bad = await client.anchorOnChain({ receipt: onLedger, claimNamespaces: ["finance"] });
    expect(await client.getReceipt({ answerId: stored.answerId })).toMatchObject({
      anchor: { blobId, anchoredAt: expect.stringMatching(/Z$/) },
      chain: [],
    });
    const entry = await client.getReceipt({ answerId: onLedger.answerId });
    expect(entry).toMatchObject({ receipt: onLedger, anchor: { blobId: good.storeBlob }, pending: 0 });
    const marks = [good, bad].map(({ receiptId, txDigest, allAuthorized }) => ({ receiptId, txDigest, allAuthorized }));
    expect(entry.chain).toHaveLength(2);
    expect(entry.chain).toEqual(expect.arrayContaining(marks.map((mark) => expect.objectContaining(mark))));
    expect(entry.chain.find(({ receiptId }) => receiptId === bad.receiptId)).toMatchObject({
      allAuthorized: false,
      claimed: ["diet", "finance", "fitness", "health"],
    });
    expect(await ids(service, { anchored: "yes" })).toEqual(newestFirst([stored.answerId, onLedger.answerId]));
    expect(await ids(service, { anchored: "yes", agentId: "planner" })).toEqual([stored.answerId]);
    expect(await ids(service, { anchored: "no" })).toEqual([plain]);

    // Another receipt with the same id is not this receipt.
    await client.anchorReceipt({ receipt: { ...stored, answerId: plain } });
    expect((await client.getReceipt({ answerId: plain })).anchor).toBeNull();
  });

  test.for(["anchored=maybe", "verified=true", "agentId=", "namespace=%20", "cursor=a.b", "limit=1001"])(
    "a list with %s is refused, and the problem names the parameter",
    async (query) => {
      const { url } = await serviceForTest();
      const answer = await send(`${url}/api/receipts?${query}`);
      expectProblem(answer, 400, "invalid-request");
      expect(JSON.parse(answer.text).errors).toMatchObject([{ parameter: query.split("=")[0] }]);
    },
  );
});

describe("The overview", () => {
  test("counts memories, answers and anchors as they are now", async () => {
    const service = await serviceForTest();
    const { client } = service;
    const before = await client.getOverview();
    expect(before).toMatchObject({
      memories: { total: 14 },
      agents: ["advisor", "assistant", "companion", "planner"],
      answers: { total: 0, used: 0, verified: 0, intact: 0 },
      anchors: { blobs: 0, onLedger: 0, pending: 0 },
      policyVersion: 1,
    });
    expect(before.memories.byNamespace).toContainEqual({ namespace: "diet", count: 3 });
    expect(before.memories.bySourceAgent).toContainEqual({ sourceAgent: "planner", count: 3 });

    await client.capture({ namespace: "__proto__", content: "A fact.", sourceAgent: "constructor" });
    await client.setAccess({ agentId: "toString", namespace: "n", allowed: true });
    const { receipt } = await client.chat({ agentId: "assistant", query: DINNER });
    await client.anchorReceipt({ receipt });
    const after = await client.getOverview();
    expect(after.memories.total).toBe(15);
    expect(after.memories.byNamespace).toContainEqual({ namespace: "__proto__", count: 1 });
    expect(after.agents).toEqual(["advisor", "assistant", "companion", "constructor", "planner", "toString"]);
    const used = receipt.usedMemories.length;
    expect(after.answers).toMatchObject({ total: 1, used, verified: used, intact: used });
    expect(after.anchors).toEqual({ blobs: 1, onLedger: 0, pending: 0 });
    expect(after.policyVersion).toBe(2);
  });

  test("lists each of the last 24 hours, also those without an answer", async () => {
    let now = new Date("2026-03-29T10:59:59.999Z");
    const service = await serviceForTest({ overrides: { now: () => now } });
    await ask(service, "assistant");
    now = new Date("2026-03-30T09:00:00.000Z");
    await ask(service, "assistant");
    await ask(service, "planner");
    const hours = async () => (await service.client.getOverview()).answers;
    const { byHour, total } = await hours();
    expect([byHour.length, total]).toEqual([24, 3]);
    expect(byHour[0]).toEqual({ hour: "2026-03-29T10:00:00.000Z", count: 1 });
    expect(byHour.at(-1)).toEqual({ hour: "2026-03-30T09:00:00.000Z", count: 2 });
    expect(byHour.slice(1, -1).every(({ count }) => count === 0)).toBe(true);
    now = new Date("2026-03-30T10:00:00.000Z");
    expect(await hours()).toMatchObject({ total: 2 });
  });
});

describe("GET /api/service", () => {
  test("describes the service without opening the ledger; GET /api/ledger names the package", async () => {
    const { client, tenant } = await serviceForTest();
    const packageId = vi.spyOn(tenant.ledger, "packageId");
    expect(await client.getService()).toEqual({
      version: packageJson.version,
      blobs: { kind: "memory", aggregator: "" },
      model: { kind: "extractive", name: tenant.model.name },
      ledger: { network: "local" },
      records: "sqlite",
      seed: "demo",
      encryption: "no-key",
      recallLimit: 12,
    });
    expect(packageId).not.toHaveBeenCalled();
    expect(await client.getLedger()).toEqual({
      network: "local",
      packageId: await tenant.ledger.packageId(),
      names: "plain",
    });
  });

  test("shows no secret of the configuration", () => {
    const about = aboutOf(
      readConfig({
        BLOBSTORE_PUBLISHER: "https://user:secret@publisher.test",
        BLOBSTORE_AGGREGATOR: "https://user:secret@aggregator.test/walrus/, https://other.test",
        BLOBSTORE_TOKEN: "secret",
        MODEL_BASE_URL: "https://model.test/v1",
        MODEL_NAME: "large",
        MODEL_API_KEY: "secret",
        SUI_NETWORK: "testnet",
        SUI_URL: "https://node.test:443",
        SUI_KEYSTORE: "/secret",
        SUI_PACKAGE_ID: `0x${"1".repeat(64)}`,
        SUI_GATE_ID: `0x${"2".repeat(64)}`,
      }),
    );
    expect(about).toMatchObject({
      blobs: { kind: "walrus", aggregator: "https://aggregator.test/walrus" },
      model: "openai-compatible",
      fullNode: "https://node.test",
    });
    expect(JSON.stringify(about)).not.toContain("secret");
  });
});
