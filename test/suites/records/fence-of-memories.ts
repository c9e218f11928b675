// The memory part of the fence: an answer that uses a memory does not pass after the memory was forgotten, superseded or
// has expired. Where several processes may serve a store, requests run in one replica and memories change in another.
import { afterEach, beforeEach, expect, test } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import type { MemoryOnRecord, ReadSet, RecordStore } from "#ports.ts";
import { FAR_OFF, LONG_AGO, newMemory, STAMP } from "./samples.ts";
import type { Prepare, StoreUnderTest } from "./store-under-test.ts";

const OPEN = policyFrom([{ agentId: "a", namespace: "n", allowed: true }]);

/** The ways in which a memory with the key "k" is removed. */
const REMOVALS: [string, (records: RecordStore, memoryId: string) => Promise<unknown>][] = [
  ["forgotten", ({ memories }, id) => memories.forget({ memoryIds: [id], cause: "forgotten" }, STAMP)],
  ["superseded", ({ memories }, supersedes) => memories.add(newMemory("new", { supersedes }))],
  ["superseded by its key", ({ memories }) => memories.add(newMemory("new", { key: "k" }))],
  [
    "expired by a repeat",
    ({ memories }) => memories.add(newMemory("fact", { key: "k", contentDigest: "fact", expiresAt: LONG_AGO })),
  ],
  ["reset", (records) => records.reset([], OPEN, STAMP)],
];

export function memoryFenceSuite(prepare: Prepare): void {
  let store: StoreUnderTest;
  let here: RecordStore;
  let there: RecordStore;

  beforeEach(async () => {
    store = await prepare();
    here = await store.open();
    there = store.openAgain === undefined ? here : await store.openAgain();
    await there.reset([], OPEN, STAMP);
  });
  afterEach(async () => {
    await here.close();
    if (there !== here) await there.close();
    await store.destroy();
  });

  const capture = (fields: Partial<MemoryOnRecord> = {}) => there.memories.add(newMemory("fact", fields));
  const keyed = () => capture({ key: "k", contentDigest: "fact" });
  const readSetOf = async (...memories: MemoryOnRecord[]): Promise<ReadSet> => {
    const { removals, policyVersion } = await here.changeFeed.since({ position: 0, policyVersion: -1 });
    const memoryIds = memories.map(({ memoryId }) => memoryId);
    return { agentId: "a", policyVersion, namespaces: ["n"], removals, memoryIds };
  };
  const passes = (readSet: ReadSet) => here.policy.passFence(readSet, () => undefined);

  test.each(REMOVALS)("a read set does not pass after a memory of it was %s", async (_, remove) => {
    const [kept, gone] = [await capture(), await keyed()];
    const [readSet, other] = [await readSetOf(kept, gone), await readSetOf(kept)];
    expect(await passes(readSet)).toBe(true);
    await remove(there, gone.memoryId);
    expect(await passes(readSet)).toBe(false);
    let ran = false;
    await here.policy.passFence(readSet, () => {
      ran = true;
    });
    expect(ran).toBe(false);
    // What does not use it passes, unless it was forgotten as well.
    expect(await passes(other)).toBe(remove !== REMOVALS.at(-1)?.[1]);
    expect(await passes(await readSetOf())).toBe(true);
  });

  test("a reader of history passes with a superseded memory, and not with a forgotten one", async () => {
    const gone = await keyed();
    const readSet = { ...(await readSetOf(gone)), allowsSuperseded: true };
    await there.memories.add(newMemory("new", { supersedes: gone.memoryId }));
    expect(await passes(readSet)).toBe(true);
    await there.memories.forget({ memoryIds: [gone.memoryId], cause: "forgotten" }, STAMP);
    expect(await passes(readSet)).toBe(false);
  });

  test("a swept memory does not pass", async () => {
    const gone = await capture({ expiresAt: LONG_AGO });
    const readSet = await readSetOf(gone);
    expect(await there.memories.forgetExpired(9)).toBe(1);
    expect(await passes(readSet)).toBe(false);
  });

  test("a read set passes until its first memory expires, by the clock of the database", async () => {
    const readSet = await readSetOf(await capture({ expiresAt: FAR_OFF }));
    expect(await passes({ ...readSet, expiresAt: FAR_OFF })).toBe(true);
    expect(await passes({ ...readSet, expiresAt: LONG_AGO })).toBe(false);
  });

  test("an older read set is judged by its memories and by the policy, each on its own", async () => {
    const [one, two] = [await capture(), await capture()];
    const [first, second] = [await readSetOf(one), await readSetOf(two)];
    await there.memories.forget({ memoryIds: [one.memoryId], cause: "forgotten" }, STAMP);
    await there.policy.set({ agentId: "b", namespace: "n", allowed: true }, STAMP);
    expect(await Promise.all([first, second, first, second].map(passes))).toEqual([false, true, false, true]);
    await there.policy.set({ agentId: "a", namespace: "n", allowed: false }, STAMP);
    expect(await passes(second)).toBe(false);
    // The policy allows it again, and the memory stays forgotten.
    await there.policy.set({ agentId: "a", namespace: "n", allowed: true }, STAMP);
    expect(await Promise.all([first, second].map(passes))).toEqual([false, true]);
  });

  test.each(REMOVALS)(
    "that a memory was %s is acknowledged only after every action that passed before has ended",
    async (_, remove) => {
      const gone = await keyed();
      const readSet = await readSetOf(gone);
      const order: string[] = [];
      const begun = Promise.withResolvers<void>();
      const end = Promise.withResolvers<void>();
      const acting = here.policy.passFence(readSet, async () => {
        begun.resolve();
        await end.promise;
        order.push("action");
      });
      await begun.promise;
      const removing = remove(there, gone.memoryId).then(() => order.push("removal"));
      // This one passes before the removal, which then waits for it, or it comes after the removal and does not pass.
      const late = here.policy.passFence(readSet, () => void order.push("late"));
      end.resolve();
      await Promise.all([acting, removing, late]);
      expect(order.indexOf("action")).toBeLessThan(order.indexOf("removal"));
      if (order.includes("late")) expect(order.indexOf("late")).toBeLessThan(order.indexOf("removal"));
    },
  );

  test.each<[string, (records: RecordStore) => Promise<unknown>]>([
    ["a capture under its key", ({ memories }) => memories.add(newMemory("new", { key: "k" }))],
    ["a sweep", ({ memories }) => memories.forgetExpired(9)],
  ])(
    "%s that finds an expired memory ends only after every action that passed before it had expired",
    async (_, remove) => {
      const gone = await capture({ key: "k", expiresAt: LONG_AGO });
      const order: string[] = [];
      const begun = Promise.withResolvers<void>();
      const end = Promise.withResolvers<void>();
      // It passed before the time came.
      const acting = here.policy.passFence(await readSetOf(gone), async () => {
        begun.resolve();
        await end.promise;
        order.push("action");
      });
      await begun.promise;
      const removing = remove(there).then(() => order.push("removal"));
      // They wait for no action, and one comes after the other.
      for (let i = 0; i < 3; i++) await capture();
      end.resolve();
      await Promise.all([acting, removing]);
      expect(order).toEqual(["action", "removal"]);
    },
  );

  test("an action that does not end is told to end when a forgetting waits for it, and a capture does not wait", async () => {
    const gone = await keyed();
    const began = Promise.withResolvers<AbortSignal>();
    const ended = here.policy
      .passFence(await readSetOf(gone), (signal) => {
        began.resolve(signal);
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      })
      .catch((error: unknown) => error);
    const signal = await began.promise;
    await capture();
    await capture({ key: "another", expiresAt: FAR_OFF });
    expect(signal.aborted).toBe(false);
    // It would wait for ever.
    await there.memories.forget({ memoryIds: [gone.memoryId], cause: "forgotten" }, STAMP);
    expect(await ended).toMatchObject({ code: "policy-changed" });
  });

  test.each(REMOVALS.slice(0, 3))("listeners are called after a memory was %s", async (_, remove) => {
    const gone = await keyed();
    let called = Promise.withResolvers<void>();
    const listening = (await store.openAgain?.()) ?? here;
    listening.policy.onChange(() => called.resolve());
    // Where it listens to other processes, it is called when it begins to.
    if (there !== here) await called.promise;
    called = Promise.withResolvers<void>();
    await remove(there, gone.memoryId);
    await called.promise;
    if (listening !== here) await listening.close();
  });
}
