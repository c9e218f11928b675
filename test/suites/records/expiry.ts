// Expiry. The clock of the database decides, so these tests take times that are far from it.
import { expect, test } from "vitest";
import type { MemoryOnRecord } from "#ports.ts";
import { readChanges } from "#test/support/read-changes.ts";
import { waitFor } from "#test/support/wait-for.ts";
import { FAR_OFF, LONG_AGO, newMemory, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const NAMED = { namespace: "n", sourceAgent: "s", key: "k" };

export function expirySuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const capture = (content: string, fields: Partial<MemoryOnRecord> = {}) =>
    store.records.memories.add(newMemory(content, fields));

  test("an expired memory is gone before it is swept", async () => {
    const { memories } = store.records;
    const fact = { contentDigest: "same", storeRef: "blob", key: "k" };
    const expired = await capture("expired", { ...fact, expiresAt: LONG_AGO });
    const stays = await capture("stays", { expiresAt: FAR_OFF });
    const ids = [expired.memoryId, stays.memoryId];
    expect(await memories.find(expired.memoryId)).toBeUndefined();
    expect(await memories.findAll(ids)).toEqual(new Map([[stays.memoryId, stays]]));
    expect(await memories.findByKey(NAMED)).toBeUndefined();
    expect([...(await memories.at([1, 2])).values()]).toEqual([stays]);
    expect(await memories.current(ids)).toEqual(new Set([stays.memoryId]));
    for (const filter of [{}, { namespaces: ["n"] }, { sourceAgent: "s" }, { contains: "s" }])
      expect((await memories.page({ limit: 9, ...filter })).memories).toEqual([stays]);
    expect(await memories.setPinned({ memoryId: expired.memoryId, pinned: true, limit: 9 }, STAMP)).toEqual({
      kind: "not-found",
    });
    await expect(capture("x", { supersedes: expired.memoryId })).rejects.toMatchObject({ code: "not-found" });
    const again = newMemory("expired", fact);
    expect(await memories.add(again)).toEqual(again);
    expect(await memories.findByKey(NAMED)).toEqual(again);
  });

  test("a memory expires by itself when its time comes", async () => {
    const { memories } = store.records;
    const expiresAt = new Date(Date.now() + 400).toISOString();
    const { memoryId } = await capture("soon", { expiresAt });
    await waitFor(async () => expect(await memories.find(memoryId)).toBeUndefined());
    expect(await memories.current([memoryId])).toEqual(new Set());
    expect(await memories.forgetExpired(10)).toBe(1);
  });

  test("expired memories are swept into tombstones, a few at a time", async () => {
    const { memories, changeFeed, leases } = store.records;
    const old = await capture("old", { expiresAt: FAR_OFF, key: "k" });
    const gone = [];
    for (let i = 0; i < 4; i++) {
      const memory = newMemory(`${i}`, { expiresAt: LONG_AGO, storeRef: `blob ${i}` });
      gone.push(await memories.add(memory, { blobId: `blob ${i}`, storedAt: STAMP.at }));
    }
    const stays = await capture("stays", { key: "k" });
    expect(stays.supersedes).toBe(old.memoryId);
    const before = await readChanges(changeFeed);
    expect(await memories.forgetExpired(3)).toBe(3);
    expect(await memories.forgetExpired(3)).toBe(1);
    expect(await memories.forgetExpired(3)).toBe(0);
    for (const { memoryId, namespace } of gone) {
      const recorded = await memories.tombstone(memoryId);
      expect(recorded).toMatchObject({ tombstone: { memoryId, namespace, cause: "expired" }, sourceAgent: "s" });
      expect(recorded?.tombstone.forgottenAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(recorded?.tombstone.forgottenBy).not.toBe("");
    }
    const { changes, removals, heads } = await readChanges(changeFeed, before);
    expect(changes.map(({ kind }) => kind)).toEqual(["forgotten", "forgotten", "forgotten", "forgotten"]);
    expect(removals).toBeGreaterThan(before.removals);
    expect(heads).toMatchObject([{ namespace: "n", memories: 1 }]);
    expect((await memories.counts()).bySourceAgent).toEqual(new Map([["s", 1]]));
    expect(await leases.findAll(gone.map(({ storeRef }) => storeRef))).toEqual([]);
    expect((await memories.find(old.memoryId))?.supersededBy).toBe(stays.memoryId);
  });

  test("history expires, too", async () => {
    const { memories } = store.records;
    /** Captures a memory that is superseded, and expires later. On a busy machine it may expire first: then again, with more time. */
    async function superseded(lives: number, tries = 1): Promise<{ memoryId: string; tries: number }> {
      const { memoryId } = await capture(`old ${lives}`, { expiresAt: new Date(Date.now() + lives).toISOString() });
      const isSuperseded = await capture("new", { supersedes: memoryId }).then(
        () => true,
        () => false,
      );
      return isSuperseded ? { memoryId, tries } : superseded(2 * lives, tries + 1);
    }
    const { tries, ...old } = await superseded(400);
    const isGone = async () => expect(await memories.find(old.memoryId)).toBeUndefined();
    await waitFor(isGone);
    expect((await memories.page({ limit: 9, superseded: true })).memories).toEqual([]);
    expect(await memories.forgetExpired(9)).toBe(tries);
    expect((await memories.tombstone(old.memoryId))?.tombstone.cause).toBe("expired");
  });

  test("a repeat with a time replaces that of the memory on record, and one without leaves it", async () => {
    const { memories } = store.records;
    const fact = { contentDigest: "same" };
    const first = await capture("a", fact);
    const earlier = "2998-01-01T00:00:00.000Z";
    for (const expiresAt of [FAR_OFF, earlier, FAR_OFF])
      expect(await capture("a", { ...fact, expiresAt })).toEqual({ ...first, expiresAt });
    expect(await capture("a", fact)).toEqual({ ...first, expiresAt: FAR_OFF });
    expect(await memories.find(first.memoryId)).toEqual({ ...first, expiresAt: FAR_OFF });
    await capture("a", { ...fact, expiresAt: LONG_AGO });
    expect(await memories.find(first.memoryId)).toBeUndefined();
    expect((await readChanges(store.records.changeFeed)).changes).toHaveLength(1);
  });
}
