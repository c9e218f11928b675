// What others' data can make: limits, long lists, and the size of every answer.

import { describe, expect, test, vi } from "vitest";
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import type { Overrides } from "#compose.ts";
import { createClient } from "#contract/client/client.ts";
import type { Reply } from "#contract/routes.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { digestOf } from "#core/encoding/digest.ts";
import { policyFrom } from "#core/gate/policy.ts";
import type { DeploymentRecords } from "#ports.ts";
import { issuedReceiptOf } from "#service/receipts/receipts.ts";
import { LOGGED, newMemory, STAMP } from "#test/suites/records/samples.ts";
import { expectProblem, RECEIPT } from "#test/support/bodies.ts";
import { interceptCalls } from "#test/support/intercept-calls.ts";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { isCommitted } from "#test/support/reference-encoding.ts";
import { post, send } from "#test/support/send.ts";
import { type Service, serviceForTest } from "#test/support/service.ts";

const MEGABYTE = 1_000_000;
/** 64 characters of four bytes each. */
const longName = (i: number) => `${"𝕏".repeat(59)}${String(i).padStart(5, "0")}`;

/** A service whose records have these namespaces, with one memory each, and no policy. */
async function serviceWith(
  namespaces: readonly string[],
  records: DeploymentRecords = sqliteRecords({ path: ":memory:" }),
  overrides: Overrides = {},
) {
  const memories = namespaces.map((namespace) => newMemory("A fact.", { namespace }));
  await records.reset(memories, policyFrom([{ agentId: "seed", namespace: "none", allowed: false }]), STAMP);
  return serviceForTest({ overrides: { ...overrides, records } });
}

const names = (count: number, nameOf: (i: number) => string) => Array.from({ length: count }, (_, i) => nameOf(i));

async function sizeOf({ url }: Service, path: string): Promise<number> {
  const { status, text } = await send(`${url}${path}`);
  expect(status).toBe(200);
  return Buffer.byteLength(text);
}

describe("A limit", () => {
  test("of namespaces refuses a capture in another one with 409, and the same line of an import", async () => {
    const records = sqliteRecords({ path: ":memory:", limits: { namespaces: 2, policyRules: 2, namespaceRules: 2 } });
    const blobs = memoryBlobs();
    const put = vi.spyOn(blobs, "put");
    const service = await serviceWith(["a", "b"], records, { blobs });
    const fact = { namespace: "c", content: "x", sourceAgent: "s" };
    expectProblem(await post(`${service.url}/api/memories`, fact), 409, "limit-reached");
    const facts = [fact, { ...fact, namespace: "a" }];
    const results = await Array.fromAsync(service.client.importMemories(facts));
    expect(results).toMatchObject([
      { line: 1, problem: { code: "limit-reached" } },
      { line: 2, memory: { namespace: "a" } },
    ]);
    // What is refused does not become a public blob.
    expect(put).toHaveBeenCalledTimes(1);
  });

  test("of policy rules refuses another rule with 409, and the policy stays", async () => {
    const records = sqliteRecords({ path: ":memory:", limits: { namespaces: 2, policyRules: 2, namespaceRules: 2 } });
    const service = await serviceWith(["a"], records);
    const rule = { agentId: "x", namespace: "a", allowed: true };
    await service.client.setAccess(rule);
    expectProblem(await post(`${service.url}/api/policy`, { ...rule, namespace: "b" }), 409, "limit-reached");
    expect(await service.client.setAccess({ ...rule, allowed: false })).toMatchObject({ version: 3 });
  });
});

describe("The admin of a namespace", () => {
  test("opens it to so many agents, then gets 409, while its revokes are answered and others have room", async () => {
    const environment = { LIMIT_NAMESPACE_RULES: "2" };
    const { admin, keyFor } = await keyedServiceForTest({ environment });
    const { client: own } = await keyFor("admin:lab");
    const lab = (agentId: string, allowed = true) => ({ agentId, namespace: "lab", allowed });
    const { version: before } = await admin.getPolicy();
    // None of these agents exists, and none was ever let in.
    for (let i = 0; i < 5; i++)
      expect(await own.setAccess(lab(`nobody-${i}`, false))).toEqual({ policy: {}, version: before });
    await own.setAccess(lab("a"));
    await own.setAccess(lab("b"));
    await expect(own.setAccess(lab("c"))).rejects.toMatchObject({ code: "limit-reached" });
    await own.setAccess(lab("a", false));
    const { policy } = await admin.setAccess(lab("c"));
    expect([policy.a?.lab, policy.b?.lab, policy.c?.lab]).toEqual([false, true, true]);
    const { client: other } = await keyFor("admin:office");
    await other.setAccess({ agentId: "a", namespace: "office", allowed: true });
  });
});

describe("A receipt with more than 1,000 blocked namespaces", () => {
  test("lists the first in UTF-8 order, and the route gives all of them", async () => {
    const all = [...names(1_100, (i) => `n${String(i).padStart(4, "0")}`), "\uffff", "😀"];
    const { client } = await serviceWith(all.toReversed());
    const { receipt } = await client.chat({ agentId: "nobody", query: "Hello?" });
    const counted = { blockedCount: 1_102, blockedDigest: digestOf(all) };
    expect(receipt).toMatchObject({ blockedNamespaces: all.slice(0, 1_000), ...counted });
    const { answerId } = receipt;
    expect(await client.listBlocked({ answerId })).toEqual({ blockedNamespaces: all, ...counted });
    const found = await client.listReceipts({ namespace: "😀" });
    expect(found.receipts.map((entry) => entry.receipt.answerId)).toEqual([answerId]);
  });

  test("can be anchored with the longest names, as it came, escaped by the client, or by its id, and verified", async () => {
    const { client, url } = await serviceWith(names(1_001, longName));
    const { receipt } = await client.chat({ agentId: "nobody", query: "Hello?" });
    const escaped = JSON.stringify({ receipt }).replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
    const { blobId } = await client.anchorReceipt({ receipt });
    expect((await post(`${url}/api/anchor`, escaped)).text).toBe(
      JSON.stringify({ blobId, verified: true, storedUntil: null }),
    );
    expect(await client.anchorReceipt({ answerId: receipt.answerId })).toEqual({
      blobId,
      verified: true,
      storedUntil: null,
    });
    const { receiptId, storeBlob } = await client.anchorOnChain({ answerId: receipt.answerId });
    expect(storeBlob).toBe(blobId);
    // It used nothing and claims nothing, which shows nothing about the policy. All else passes.
    const { checks } = await client.verify({ receiptId });
    expect(checks.filter(({ status }) => status !== "pass")).toMatchObject([{ name: "claims", status: "unknown" }]);
  });

  test("and one with fewer is listed by the route, too; an unknown one is not found", async () => {
    const { client, url } = await serviceWith(["b", "a"]);
    const { answerId } = (await client.chat({ agentId: "nobody", query: "Hello?" })).receipt;
    const all = ["a", "b"];
    expect(await client.listBlocked({ answerId })).toEqual({
      blockedNamespaces: all,
      blockedCount: 2,
      blockedDigest: digestOf(all),
    });
    expectProblem(await send(`${url}/api/receipts/ans_none/blocked`), 404, "not-found");
  });
});

describe("The anchor routes", () => {
  test.for(["/api/anchor", "/api/anchor-chain"])(
    "%s: exactly one of receipt and answerId is required",
    async (path) => {
      const { url, client } = await serviceForTest();
      const { answerId } = (await client.chat({ agentId: "assistant", query: "Dinner?" })).receipt;
      expectProblem(await post(`${url}${path}`, {}), 400, "invalid-request", "#/receipt");
      expectProblem(await post(`${url}${path}`, { receipt: RECEIPT, answerId }), 400, "invalid-request", "#/answerId");
      expectProblem(await post(`${url}${path}`, { answerId: "../x" }), 400, "invalid-request", "#/answerId");
      expectProblem(await post(`${url}${path}`, { answerId: "ans_none" }), 404, "not-found");
      expect((await post(`${url}${path}`, { answerId })).status).toBe(200);
    },
  );

  test("refuse a receipt that a verifier would not read", async () => {
    const { url } = await serviceForTest();
    const receipt = { ...RECEIPT, more: "x".repeat(600_000) };
    expectProblem(await post(`${url}/api/anchor`, { receipt }), 400, "invalid-request", "#/receipt");
  });
});

const NO_POLICY = { policyVersion: 1, policyDigest: "" };

describe("With the longest names, no page weighs more than a megabyte", () => {
  test("of receipts, and the pages have every receipt once", async () => {
    const service = await serviceWith(["a"]);
    const { records } = service.tenant;
    const blocked = names(1_000, longName);
    const evidence = {
      v: 2,
      kind: "answered",
      model: null,
      template: null,
      ...NO_POLICY,
      commitments: {},
      salts: {},
    } as const;
    const ids = names(12, (i) => `ans_${String(i).padStart(3, "0")}`);
    for (const answerId of ids) {
      const receipt = {
        answerId,
        agentId: "a",
        usedMemories: [],
        blockedNamespaces: blocked,
        createdAt: STAMP.at,
        evidence,
        signature: { keyId: "", value: "" },
      };
      await records.receipts.add({ ...issuedReceiptOf(receipt, blocked), seed: "", ...LOGGED });
    }
    const walked: string[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const path = `/api/receipts?limit=1000${cursor && `&cursor=${cursor}`}`;
      expect(await sizeOf(service, path)).toBeLessThan(MEGABYTE);
      const page: Reply<"listReceipts"> = await service.client.listReceipts({
        limit: 1_000,
        ...(cursor && { cursor }),
      });
      expect(page.receipts.length).toBeGreaterThan(0);
      walked.push(...page.receipts.map(({ receipt }) => receipt.answerId));
      cursor = page.nextCursor;
    }
    expect(walked).toEqual(ids.toReversed());
  });

  test("of memories, of changes of the policy, and of the overview", async () => {
    const records = sqliteRecords({ path: ":memory:" });
    const long = names(1_200, longName);
    const memories = long.map((name) => newMemory('"'.repeat(4_000), { namespace: name, sourceAgent: name }));
    const rules = policyFrom(long.map((name) => ({ agentId: name, namespace: name, allowed: true })));
    await records.reset(memories, rules, STAMP);
    const service = await serviceForTest({ overrides: { records } });
    for (const path of ["/api/memories?limit=1000", "/api/policy/changes?limit=1000", "/api/overview"])
      expect(await sizeOf(service, path), path).toBeLessThan(MEGABYTE);

    const seen = new Set<string>();
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const page: Reply<"listPolicyChanges"> = await service.client.listPolicyChanges({
        limit: 1_000,
        ...(cursor && { cursor }),
      });
      for (const { namespace } of page.changes) seen.add(namespace);
      cursor = page.nextCursor;
    }
    expect(seen.size).toBe(1_200);
    const { memories: counts, agents } = await service.client.getOverview();
    expect(counts).toMatchObject({ total: 1_200, namespaces: 1_200, sourceAgents: 1_200 });
    expect([counts.byNamespace.length, counts.bySourceAgent.length, agents.length]).toEqual([1_000, 1_000, 1_000]);
  });
});

describe("A recall of the longest texts", () => {
  const AGENT = "agent";
  const ASK = { agentId: AGENT, query: "What do you know about me?" };

  /** 64 memories that the agent may use, the first `pinned` of them pinned, and a thousand blocked namespaces. */
  async function serviceWithLongTexts(character: string, pinned: number): Promise<Service> {
    const records = sqliteRecords({ path: ":memory:" });
    const allowed = longName(99_999);
    // All different from the first character on: near-duplicates would be folded.
    const texts = names(64, (i) => `${i} ${character.repeat(7_990)}`);
    const memories = [
      ...texts.map((text, i) => newMemory(text, { namespace: allowed, ...(i < pinned && { pinned: true }) })),
      ...names(1_000, longName).map((namespace) => newMemory("A fact.", { namespace })),
    ];
    await records.reset(memories, policyFrom([{ agentId: AGENT, namespace: allowed, allowed: true }]), STAMP);
    return serviceForTest({ overrides: { records }, environment: { RECALL_LIMIT: "64" } });
  }

  test.each([
    ["four bytes a character", "𝕏", 0],
    ["an escape for each character", '"', 0],
    ["four bytes a character, half of them pinned", "𝕏", 32],
  ])("stays under a megabyte with %s, and says how many memories were left out", async (_, character, pinned) => {
    const { url } = await serviceWithLongTexts(character, pinned);
    const { status, text } = await post(`${url}/api/recall`, ASK);
    expect(status).toBe(200);
    expect(Buffer.byteLength(text)).toBeLessThan(MEGABYTE);
    const reply = JSON.parse(text) as Reply<"recall">;
    const { memories, omittedCount, receipt, opening } = reply;
    expect(memories.length).toBeGreaterThanOrEqual(12);
    expect(memories.length + (omittedCount ?? 0)).toBe(64);
    // Texts are whole, and the receipt is of those given.
    expect(memories.every(({ content }) => content.endsWith(character.repeat(7_990)))).toBe(true);
    expect(receipt?.usedMemories.map(({ memoryId }) => memoryId)).toEqual(memories.map(({ memoryId }) => memoryId));
    if (receipt === undefined || opening === undefined) throw new Error("the reply holds the receipt by default");
    const given = memories.map(({ memoryId, content }) => ({ memoryId, content }));
    expect(isCommitted({ receipt, opening }, "/answer", given)).toBe(true);
    // Pinned memories leave room for what the question finds.
    expect(memories.filter(({ why }) => why.pinned !== true).length).toBeGreaterThanOrEqual(6);
    expect(memories.filter(({ why }) => why.pinned === true).length).toBe(pinned === 0 ? 0 : 6);
  });

  test("gives the same memories whether or not the receipt is wanted, and all of them when they fit", async () => {
    const { client } = await serviceWithLongTexts("𝕏", 0);
    const { receipt: _, opening: __, ...rest } = await client.recall(ASK);
    expect(await client.recall({ ...ASK, receipt: false })).toEqual(rest);
    const few = await client.recall({ ...ASK, limit: 12 });
    expect(few.memories).toHaveLength(12);
    expect(few).not.toHaveProperty("omittedCount");
  });
});

describe("The policy", () => {
  test("comes whole and of one version, whatever its names, from a read and from a change", async () => {
    const { client, tenant } = await serviceForTest();
    const odd = ["__proto__", "constructor", '"', "\\", "😀", "\uffff"];
    for (const agentId of odd)
      for (const namespace of odd) await client.setAccess({ agentId, namespace, allowed: agentId < namespace });
    const changed = await client.setAccess({ agentId: "a", namespace: "b", allowed: true });
    const expected = canonicalJson(await tenant.records.policy.current());
    expect(canonicalJson(changed)).toBe(expected);
    expect(canonicalJson(await client.getPolicy())).toBe(expected);
    await tenant.records.reset([], policyFrom([]), STAMP);
    expect((await client.getPolicy()).policy).toEqual({});
  });

  test("is not read as a whole for a change, a read, a question or the overview", async () => {
    const records = sqliteRecords({ path: ":memory:" });
    const calls: string[] = [];
    const counted = interceptCalls(records, (name, call) => {
      calls.push(name);
      return call();
    });
    const { url } = await serviceForTest({ overrides: { records: counted } });
    const client = createClient({ baseUrl: url });
    calls.length = 0;
    await client.setAccess({ agentId: "planner", namespace: "health", allowed: true });
    await client.getPolicy();
    await client.chat({ agentId: "planner", query: "Dinner?" });
    await client.getOverview();
    expect(calls).toContain("policy.set");
    expect(calls).not.toContain("policy.current");
  });
});
