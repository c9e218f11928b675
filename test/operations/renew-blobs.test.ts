import { describe, expect, test } from "vitest";
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import { OPEN } from "#core/identity/principal.ts";
import type { BlobStore } from "#ports.ts";
import { anchor } from "#service/anchoring/anchor-as-blob.ts";
import { capture } from "#service/memories/capture.ts";
import { type Renewal, renew } from "#service/operations/renew-blobs.ts";
import { testDeps } from "#test/support/deps.ts";

/** A store with leases that can forget all blobs, and can fail. */
function storeWithLeases(): BlobStore & { forgetAll(): void; puts: number; failing: boolean } {
  let blobs = memoryBlobs();
  const store = {
    puts: 0,
    failing: false,
    async put(bytes: Uint8Array) {
      store.puts += 1;
      if (store.failing) throw new Error("Not now.");
      return { ...(await blobs.put(bytes)), endEpoch: 10, objectId: "0x1" };
    },
    putConcurrency: 8,
    get: (blobId: string) => blobs.get(blobId),
    forgetAll() {
      blobs = memoryBlobs();
    },
  };
  return store;
}

const RECEIPT = {
  answerId: "ans_1",
  agentId: "a",
  usedMemories: [],
  blockedNamespaces: [],
  createdAt: "2026-01-01T00:00:00Z",
};

async function setUp() {
  const blobs = storeWithLeases();
  let time = Date.parse("2026-01-01T00:00:00Z");
  const deps = testDeps({ blobs, now: () => new Date(time) });
  const refs: string[] = [];
  for (let i = 0; i < 20; i++) {
    refs.push((await capture(deps, { namespace: "n", content: `fact ${i}`, sourceAgent: "s" })).storeRef);
  }
  refs.push((await anchor(deps, { receipt: RECEIPT }, OPEN)).blobId);
  const wait = (days: number) => {
    time += days * 86_400_000;
  };
  const run = async (since: string) => {
    const results: Renewal[] = [];
    for await (const result of renew(deps, { since: new Date(since) })) results.push(result);
    return results;
  };
  return { deps, blobs, refs, wait, run };
}

describe("renewing blobs", () => {
  test("restores every memory and anchored receipt under the same id, and records the new lease", async () => {
    const { deps, blobs, refs, wait, run } = await setUp();
    blobs.forgetAll();
    wait(3);
    const results = await run("2026-01-02T00:00:00Z");
    expect(results.map(({ status }) => status)).toEqual(refs.map(() => "renewed"));
    for (const ref of refs) {
      expect(await blobs.get(ref)).toBeDefined();
      expect(await deps.records.leases.find(ref)).toMatchObject({ endEpoch: 10, storedAt: "2026-01-04T00:00:00.000Z" });
    }
  });

  test("skips blobs that were stored recently, so that an interrupted run can continue", async () => {
    const { blobs, deps, wait, run } = await setUp();
    wait(3);
    const first = renew(deps, { since: new Date("2026-01-02T00:00:00Z") });
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
