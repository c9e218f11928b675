import { describe, expect, test } from "vitest";
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { OPEN } from "#core/identity/principal.ts";
import type { BlobStore, PutOptions } from "#ports.ts";
import { anchor } from "#service/anchoring/anchor.ts";
import { chat } from "#service/answers/chat.ts";
import { capture } from "#service/memories/capture.ts";
import { type Renewal, renew } from "#service/operations/renew-blobs.ts";
import type { Tenant } from "#service/tenant.ts";
import { asked } from "#test/support/asked.ts";
import { testTenant } from "#test/support/tenant.ts";

/** A store with leases that can forget all blobs, can fail, and can take its time. */
function storeWithLeases() {
  let blobs = memoryBlobs();
  const store = {
    puts: 0,
    failing: false,
    /** Before the bytes leave, and after the store has them. */
    beforeSending: async () => {},
    afterSending: async () => {},
    async put(bytes: Uint8Array, options?: PutOptions) {
      store.puts += 1;
      if (store.failing) throw new Error("Not now.");
      await store.beforeSending();
      const stored = await blobs.put(bytes, options);
      await store.afterSending();
      return { ...stored, endEpoch: 10, objectId: "0x1" };
    },
    putConcurrency: 8,
    get: (blobId: string) => blobs.get(blobId),
    forgetAll() {
      blobs = memoryBlobs();
    },
  };
  return store satisfies BlobStore;
}

const RECEIPT = {
  answerId: "ans_1",
  agentId: "a",
  usedMemories: [],
  blockedNamespaces: [],
  createdAt: "2026-01-01T00:00:00Z",
};

const STAMP = { by: "test", at: "" };

async function setUp() {
  const blobs = storeWithLeases();
  let time = Date.parse("2026-01-01T00:00:00Z");
  const tenant = testTenant({ blobs, now: () => new Date(time) });
  const refs: string[] = [];
  for (let i = 0; i < 20; i++) {
    refs.push((await capture(tenant, { namespace: "n", content: `fact ${i}`, sourceAgent: "s" })).storeRef);
  }
  refs.push((await anchor(tenant, { receipt: RECEIPT }, { principal: OPEN })).blobId);
  const wait = (days: number) => {
    time += days * 86_400_000;
  };
  const run = async (since: string) => {
    const results: Renewal[] = [];
    for await (const result of renew(tenant, { since: new Date(since) })) results.push(result);
    return results;
  };
  return { tenant, blobs, refs, wait, run };
}

/** Two memories that answers used, of which one answer was anchored. Then all memories are forgotten. */
async function anchorThenForget(tenant: Tenant): Promise<{ anchored: string; onRecord: string }> {
  const ask = () => asked((caller) => chat(tenant, { agentId: "a", query: "Which soil do herbs like?" }, caller));
  const fact = { namespace: "herbs", sourceAgent: "s" };
  await tenant.records.policy.set({ agentId: "a", namespace: "herbs", allowed: true }, { by: "test", at: "" });
  const basil = await capture(tenant, { ...fact, content: "Basil is a herb that likes warm soil." });
  const { receipt } = await ask();
  expect(receipt.usedMemories).toHaveLength(1);
  await anchor(tenant, { answerId: receipt.answerId }, { principal: OPEN });
  const mint = await capture(tenant, { ...fact, content: "Mint is a herb that likes wet soil." });
  expect((await ask()).receipt.usedMemories).toHaveLength(2);
  await tenant.records.reset([], policyFrom([]), { by: "test", at: "" });
  return { anchored: basil.storeRef, onRecord: mint.storeRef };
}

describe("renewing blobs", () => {
  test("restores every memory and anchored receipt under the same id, and records the new lease", async () => {
    const { tenant, blobs, refs, wait, run } = await setUp();
    blobs.forgetAll();
    wait(3);
    const results = await run("2026-01-02T00:00:00Z");
    expect(results.map(({ status }) => status)).toEqual(refs.map(() => "renewed"));
    for (const ref of refs) {
      expect(await blobs.get(ref)).toBeDefined();
      expect(await tenant.records.leases.find(ref)).toMatchObject({
        endEpoch: 10,
        storedAt: "2026-01-04T00:00:00.000Z",
      });
    }
  });

  test("does not renew forgotten memories, whoever names them", async () => {
    const { tenant, blobs, wait, run } = await setUp();
    const refs = await anchorThenForget(tenant);
    blobs.forgetAll();
    wait(3);
    await run("2026-01-02T00:00:00Z");
    for (const ref of [refs.anchored, refs.onRecord]) {
      expect(await blobs.get(ref)).toBeUndefined();
      expect(await tenant.records.leases.find(ref)).toBeUndefined();
    }
  });

  test.for([
    ["is forgotten", (tenant: Tenant) => tenant.records.reset([], policyFrom([]), STAMP)],
    ["is encrypted", (tenant: Tenant) => tenant.records.namespaces.put({ name: "n", encrypted: true }, STAMP)],
  ] as const)("does not store a memory that %s while the store was waited for", async ([, take]) => {
    const { tenant, blobs, refs, wait, run } = await setUp();
    blobs.forgetAll();
    wait(3);
    blobs.beforeSending = () => take(tenant);
    const anchored = refs.pop();
    expect(await run("2026-01-02T00:00:00Z")).toEqual([{ blobId: anchored, status: "renewed" }]);
    for (const ref of refs) expect(await blobs.get(ref)).toBeUndefined();
  });

  test("records no lease of a memory that is forgotten while the store answers", async () => {
    const { tenant, blobs, refs, wait, run } = await setUp();
    wait(3);
    blobs.afterSending = () => tenant.records.reset([], policyFrom([]), STAMP);
    await run("2026-01-02T00:00:00Z");
    const anchored = refs.pop() ?? "";
    expect((await tenant.records.leases.findAll([...refs, anchored])).map(({ blobId }) => blobId)).toEqual([anchored]);
  });

  test("skips blobs that were stored recently, so that an interrupted run can continue", async () => {
    const { blobs, tenant, wait, run } = await setUp();
    wait(3);
    const first = renew(tenant, { since: new Date("2026-01-02T00:00:00Z") });
    for (let i = 0; i < 5; i++) await first.next();
    await first.return(undefined);
    const before = blobs.puts;
    const statuses = (await run("2026-01-02T00:00:00Z")).map(({ status }) => status);
    expect(statuses.filter((status) => status === "fresh").length).toBeGreaterThanOrEqual(5);
    expect(blobs.puts - before).toBe(statuses.filter((status) => status === "renewed").length);
  });

  test("reports blobs that could not be renewed, and continues with the others", async () => {
    const { blobs, refs, wait, run } = await setUp();
    wait(3);
    blobs.failing = true;
    expect((await run("2026-01-02T00:00:00Z")).map(({ status }) => status)).toEqual(refs.map(() => "failed"));
    blobs.failing = false;
    expect((await run("2026-01-02T00:00:00Z")).map(({ status }) => status)).toEqual(refs.map(() => "renewed"));
  });
});
