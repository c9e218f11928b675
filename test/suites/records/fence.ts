// The fence and the locks. Where several processes may serve a store, requests run in one replica and the policy is
// changed in another.
import { afterEach, beforeEach, expect, test } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import type { ReadSet, RecordStore } from "#ports.ts";
import { STAMP } from "./samples.ts";
import type { Prepare, StoreUnderTest } from "./store-under-test.ts";

const OPEN = policyFrom([
  { agentId: "a", namespace: "x", allowed: true },
  { agentId: "a", namespace: "y", allowed: true },
]);
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

export function fenceSuite(prepare: Prepare): void {
  let store: StoreUnderTest;
  /** Where requests run, and where the policy is changed. */
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

  const set = (namespace: string, allowed: boolean) => there.policy.set({ agentId: "a", namespace, allowed }, STAMP);
  const readSetOf = async (...namespaces: string[]): Promise<ReadSet> => {
    const { version } = await here.policy.current();
    return { agentId: "a", policyVersion: version, namespaces, removals: 0, memoryIds: [] };
  };
  const passes = (readSet: ReadSet) => here.policy.passFence(readSet, () => undefined);

  test("lets a read set pass while all of it is allowed, and not after a revoke", async () => {
    expect(await passes(await readSetOf("x", "y"))).toBe(true);
    const old = await readSetOf("x");
    await set("x", false);
    expect(await passes(old)).toBe(false);
    expect(await passes({ ...old, agentId: "b", namespaces: ["y"] })).toBe(false);
    await set("x", true);
    expect(await passes(old)).toBe(true);
  });

  test("tells an action that does not end to end when a change waits for it, and no other", async () => {
    const readSet = await readSetOf("x");
    const slow = () => {
      const began = Promise.withResolvers<AbortSignal>();
      const ended = here.policy.passFence(readSet, (signal) => {
        began.resolve(signal);
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      });
      return { began: began.promise, ended: ended.catch((error: unknown) => error) };
    };
    const all = Array.from({ length: 10 }, slow);
    const signals = await Promise.all(all.map(({ began }) => began));
    expect(await passes(readSet)).toBe(true);
    expect(signals.map(({ aborted }) => aborted)).not.toContain(true);
    // It would wait for ever.
    await set("x", false);
    for (const { ended } of all) expect(await ended).toMatchObject({ code: "policy-changed" });
    expect(await passes(readSet)).toBe(false);
    expect(await passes(await readSetOf("y"))).toBe(true);
  });

  test("lets further actions pass however many do not end", async () => {
    const readSet = await readSetOf("x");
    const hanging: Promise<unknown>[] = [];
    for (let count = 0; count < 10; count++) {
      const began = Promise.withResolvers<void>();
      const ended = here.policy.passFence(readSet, (signal) => {
        began.resolve();
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      });
      hanging.push(ended.catch(() => undefined));
      // One after another, so that none shares the place of another.
      await began.promise;
    }
    expect(await passes(readSet)).toBe(true);
    await set("x", false);
    await Promise.all(hanging);
  });

  test("lets an old read set pass when the changes did not touch it", async () => {
    const old = await readSetOf("y");
    await set("x", false);
    await there.policy.set({ agentId: "b", namespace: "y", allowed: false }, STAMP);
    expect(await passes(old)).toBe(true);
  });

  test("does not let a read set pass that a reset took away", async () => {
    const old = await readSetOf("x");
    await there.reset([], policyFrom([{ agentId: "a", namespace: "y", allowed: true }]), STAMP);
    expect(await passes(old)).toBe(false);
  });

  test("does not run the action of a read set that is not allowed", async () => {
    const old = await readSetOf("x");
    await set("x", false);
    let ran = false;
    await here.policy.passFence(old, () => {
      ran = true;
    });
    expect(ran).toBe(false);
  });

  test("acknowledges a revoke only after every action that passed before it has ended", async () => {
    const order: string[] = [];
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const readSet = await readSetOf("x");
    const acting = here.policy.passFence(readSet, async () => {
      begun.resolve();
      await end.promise;
      order.push("action");
    });
    await begun.promise;
    const revoking = set("x", false).then(() => order.push("revoke"));
    // This one passes before the revoke, which then waits for it, or it comes after the revoke and does not pass.
    const late = here.policy.passFence(readSet, () => void order.push("late"));
    end.resolve();
    await Promise.all([acting, revoking, late]);
    expect(order.indexOf("action")).toBeLessThan(order.indexOf("revoke"));
    if (order.includes("late")) expect(order.indexOf("late")).toBeLessThan(order.indexOf("revoke"));
  });

  test.for([false, null])(
    "a batch that sets rules to %s is final when it is acknowledged, for all of its gates",
    async (allowed) => {
      const both = ["x", "y"].map((namespace) => ({ agentId: "a", namespace, allowed }));
      const opened = { agentId: "b", namespace: "x", allowed: true };
      const order: string[] = [];
      const begun = Promise.withResolvers<void>();
      const end = Promise.withResolvers<void>();
      const [ofX, ofY] = [await readSetOf("x"), await readSetOf("y")];
      const acting = here.policy.passFence(ofX, async () => {
        begun.resolve();
        await end.promise;
        order.push("action");
      });
      await begun.promise;
      const revoking = there.policy.setAll([...both, opened], STAMP).then(() => order.push("revoke"));
      const late = here.policy.passFence(ofY, () => void order.push("late"));
      end.resolve();
      await Promise.all([acting, revoking, late]);
      expect(order.indexOf("action")).toBeLessThan(order.indexOf("revoke"));
      if (order.includes("late")) expect(order.indexOf("late")).toBeLessThan(order.indexOf("revoke"));
      expect([await passes(ofX), await passes(ofY)]).toEqual([false, false]);
      expect(await passes({ ...ofX, agentId: "b" })).toBe(true);
    },
  );

  test("actions that pass without a pause do not starve a revoke", async () => {
    const readSet = await readSetOf("y");
    let isRevoked = false;
    let passed = 0;
    const loops = Array.from({ length: 40 }, async () => {
      while (!isRevoked) {
        await here.policy.passFence(readSet, turn);
        passed += 1;
        if (passed > 100_000) throw new Error("starved");
      }
    });
    for (const allowed of [false, true, false]) await set("x", allowed);
    isRevoked = true;
    await Promise.all(loops);
  });

  test("changes of the policy without a pause do not starve an action", async () => {
    const readSet = await readSetOf("y");
    let isOver = false;
    const setters = Array.from({ length: 4 }, async () => {
      while (!isOver) await set("x", true);
    });
    for (let i = 0; i < 5; i++) expect(await passes(readSet)).toBe(true);
    isOver = true;
    await Promise.all(setters);
  });

  test("gives the error of an action to its own caller, and other actions and a revoke go on", async () => {
    const error = new Error("it broke");
    const readSet = await readSetOf("x");
    const [broken, fine] = await Promise.allSettled([
      here.policy.passFence(readSet, () => Promise.reject(error)),
      here.policy.passFence(readSet, () => undefined),
    ]);
    expect(broken).toMatchObject({ status: "rejected", reason: error });
    expect(fine).toMatchObject({ status: "fulfilled", value: true });
    await set("x", false);
    expect(await passes(readSet)).toBe(false);
  });

  test("listeners are called after every change of the policy, whichever process made it", async () => {
    let calls = 0;
    let called = Promise.withResolvers<void>();
    here.policy.onChange(() => {
      calls += 1;
      called.resolve();
    });
    await set("x", false);
    await called.promise;
    called = Promise.withResolvers<void>();
    const before = calls;
    await there.reset([], OPEN, STAMP);
    await called.promise;
    expect(calls).toBeGreaterThan(before);
  });

  test("jobs of one lock run one at a time, also after one that failed", async () => {
    let running = 0;
    let most = 0;
    const job = async () => {
      most = Math.max(most, ++running);
      await turn();
      running -= 1;
      return "done";
    };
    const stores = [here, there, here, there];
    const all = await Promise.all(stores.map((records) => records.locks.exclusively("anchoring", job)));
    expect(all).toEqual(["done", "done", "done", "done"]);
    expect(most).toBe(1);
    await expect(here.locks.exclusively("anchoring", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await there.locks.exclusively("anchoring", job)).toBe("done");
  });
}
