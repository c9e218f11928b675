// What the fence of every record store must do, between replicas where there may be several.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import type { ReadSet, RecordStore } from "#ports.ts";
import type { StoreUnderTest } from "./record-store.ts";

const STAMP = { by: "suite", at: "2026-01-02T03:04:05.678Z" };
const OPEN = policyFrom([
  { agentId: "a", namespace: "x", allowed: true },
  { agentId: "a", namespace: "y", allowed: true },
]);

export function fenceSuite(name: string, prepare: () => Promise<StoreUnderTest>): void {
  describe(`the fence of ${name}`, () => {
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
    const sees = async (...namespaces: string[]): Promise<ReadSet> => {
      const { version } = await here.policy.current();
      return { agentId: "a", policyVersion: version, namespaces };
    };
    const passes = (readSet: ReadSet) => here.policy.passFence(readSet, () => undefined);

    it("lets pass what is allowed, and nothing else", async () => {
      expect(await passes(await sees("x", "y"))).toBe(true);
      const old = await sees("x");
      await set("x", false);
      expect(await passes(old)).toBe(false);
      expect(await passes({ ...old, agentId: "b", namespaces: ["y"] })).toBe(false);
      await set("x", true);
      expect(await passes(old)).toBe(true);
    });

    it("lets pass what a change did not touch", async () => {
      const old = await sees("y");
      await set("x", false);
      await there.policy.set({ agentId: "b", namespace: "y", allowed: false }, STAMP);
      expect(await passes(old)).toBe(true);
    });

    it("lets a reset take away what it takes away", async () => {
      const old = await sees("x");
      await there.reset([], policyFrom([{ agentId: "a", namespace: "y", allowed: true }]), STAMP);
      expect(await passes(old)).toBe(false);
    });

    it("does not run what may not pass", async () => {
      const old = await sees("x");
      await set("x", false);
      let ran = false;
      await here.policy.passFence(old, () => {
        ran = true;
      });
      expect(ran).toBe(false);
    });

    it("acknowledges a revoke only when everything that passed before has ended", async () => {
      const order: string[] = [];
      const begun = Promise.withResolvers<void>();
      const end = Promise.withResolvers<void>();
      const sight = await sees("x");
      const acting = here.policy.passFence(sight, async () => {
        begun.resolve();
        await end.promise;
        order.push("act");
      });
      await begun.promise;
      const revoking = set("x", false).then(() => order.push("revoke"));
      // Whoever comes now passes before the revoke, and is waited for, or after it, and does not pass.
      const late = here.policy.passFence(sight, () => void order.push("late"));
      end.resolve();
      await Promise.all([acting, revoking, late]);
      expect(order.indexOf("act")).toBeLessThan(order.indexOf("revoke"));
      if (order.includes("late")) expect(order.indexOf("late")).toBeLessThan(order.indexOf("revoke"));
    });

    it("is not starved: a revoke ends although others pass without a pause", async () => {
      const sight = await sees("y");
      let isRevoked = false;
      let passed = 0;
      const loops = Array.from({ length: 40 }, async () => {
        while (!isRevoked) {
          await here.policy.passFence(sight, () => new Promise((resolve) => setImmediate(resolve)));
          passed += 1;
          if (passed > 100_000) throw new Error("starved");
        }
      });
      for (const allowed of [false, true, false]) await set("x", allowed);
      isRevoked = true;
      await Promise.all(loops);
    });

    it("does not starve: an answer passes although others set the policy without a pause", async () => {
      const sight = await sees("y");
      let isOver = false;
      const setters = Array.from({ length: 4 }, async () => {
        while (!isOver) await set("x", true);
      });
      for (let i = 0; i < 5; i++) expect(await passes(sight)).toBe(true);
      isOver = true;
      await Promise.all(setters);
    });

    it("gives an error of an act back, and lets others and the revoke pass", async () => {
      const error = new Error("it broke");
      const sight = await sees("x");
      const [broken, fine] = await Promise.allSettled([
        here.policy.passFence(sight, () => Promise.reject(error)),
        here.policy.passFence(sight, () => undefined),
      ]);
      expect(broken).toMatchObject({ status: "rejected", reason: error });
      expect(fine).toMatchObject({ status: "fulfilled", value: true });
      await set("x", false);
      expect(await passes(sight)).toBe(false);
    });

    it("tells of every change of the policy, wherever it was made", async () => {
      let told = 0;
      let heard = Promise.withResolvers<void>();
      here.policy.onChange(() => {
        told += 1;
        heard.resolve();
      });
      await set("x", false);
      await heard.promise;
      heard = Promise.withResolvers<void>();
      const before = told;
      await there.reset([], OPEN, STAMP);
      await heard.promise;
      expect(told).toBeGreaterThan(before);
    });

    it("runs jobs of one name one at a time", async () => {
      let running = 0;
      let most = 0;
      const job = async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
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
  });
}
