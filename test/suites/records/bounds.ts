import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestOf } from "#core/encoding/digest.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { nextChainHash, policyDigestOf } from "#core/gate/policy-chain.ts";
import type { PolicyAdmin, RecordStore } from "#ports.ts";
import { agentIds, namespaces } from "#test/support/arbitraries.ts";
import { runs } from "#test/support/runs.ts";
import { memory, newMemory, receipt, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const LIMIT_REACHED = { code: "limit-reached", message: expect.stringMatching(/LIMIT_/) };
const rule = (namespace: string, allowed = true) => ({ agentId: "a", namespace, allowed });
const statuses = (results: readonly PromiseSettledResult<unknown>[]) => results.map(({ status }) => status);
const rules = fc.record({ agentId: agentIds, namespace: namespaces, allowed: fc.boolean() });

export function boundSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const limited = () => store.restart({ namespaces: 3, policyRules: 3, namespaceRules: 3 });

  describe("namespaces", () => {
    const capture = (records: RecordStore, namespace: string) => records.memories.add(newMemory("c", { namespace }));

    test("beyond the limit are refused, alone in their commit, and leave no lease", async () => {
      const records = await limited();
      const captures = ["a", "b", "a", "c", "d", "b", "e"].map((namespace, i) =>
        records.memories.add(newMemory("c", { namespace, storeRef: `r${i}` }), {
          blobId: `r${i}`,
          endEpoch: 1,
          storedAt: STAMP.at,
        }),
      );
      const results = await Promise.allSettled(captures);
      const [ok, no] = ["fulfilled", "rejected"];
      expect(statuses(results)).toEqual([ok, ok, ok, ok, no, ok, no]);
      expect(results[4]).toMatchObject({ reason: LIMIT_REACHED });
      expect(await records.leases.find("r4")).toBeUndefined();
      expect((await records.memories.counts()).byNamespace).toEqual(new Map(Object.entries({ a: 2, b: 2, c: 1 })));
      await capture(records, "c");
      await records.memories.checkNames({ namespace: "c", sourceAgent: "s" });
      await expect(records.memories.checkNames({ namespace: "d", sourceAgent: "s" })).rejects.toMatchObject(
        LIMIT_REACHED,
      );
    });

    test("are counted again after a reset, and a reset that brings too many is refused as a whole", async () => {
      const records = await limited();
      for (const namespace of ["a", "b", "c"]) await capture(records, namespace);
      const seed = ["d", "e", "f", "g"].map((namespace) => newMemory("seed", { namespace }));
      await expect(records.reset(seed, policyFrom([]), STAMP)).rejects.toMatchObject(LIMIT_REACHED);
      expect((await records.memories.counts()).byNamespace.size).toBe(3);
      await records.reset(seed.slice(0, 2), policyFrom([]), STAMP);
      await capture(records, "f");
      await expect(capture(records, "g")).rejects.toMatchObject(LIMIT_REACHED);
    });

    test("of several writers at once stay within the limit", async () => {
      const records = await limited();
      const others = await store.openAgain({ namespaces: 3, policyRules: 3, namespaceRules: 3 });
      const names = Array.from({ length: 24 }, (_, i) => `n${i % 8}`);
      await Promise.allSettled(names.map((name, i) => capture(i % 2 === 0 ? records : others, name)));
      expect((await records.memories.counts()).byNamespace.size).toBe(3);
    });

    test("that exceed a lowered limit stay, and take further memories", async () => {
      for (const namespace of ["a", "b", "c", "d"]) await capture(store.records, namespace);
      const records = await limited();
      await capture(records, "d");
      await expect(capture(records, "e")).rejects.toMatchObject(LIMIT_REACHED);
    });
  });

  describe("policy rules", () => {
    test("beyond the limit are refused and change nothing; rules that exist can be changed", async () => {
      const records = await limited();
      for (const name of ["x", "y", "z"]) await records.policy.set(rule(name), STAMP);
      await expect(records.policy.set(rule("more"), STAMP)).rejects.toMatchObject(LIMIT_REACHED);
      expect(await records.policy.version()).toBe(3);
      await records.policy.set(rule("x", false), STAMP);
      expect(await records.policy.version()).toBe(4);
      const four = policyFrom(["p", "q", "r", "s"].map((name) => rule(name)));
      await expect(records.reset([], four, STAMP)).rejects.toMatchObject(LIMIT_REACHED);
      await records.reset([], policyFrom([rule("p")]), STAMP);
      await records.policy.set(rule("q"), STAMP);
      await records.policy.set(rule("r"), STAMP);
      await expect(records.policy.set(rule("s"), STAMP)).rejects.toMatchObject(LIMIT_REACHED);
    });

    test("of a namespace's admins have a limit, other namespaces and full admins have room, and a revoke always has", async () => {
      const records = await store.restart({ namespaces: 3, policyRules: 20, namespaceRules: 2 });
      const set = (agentId: string, namespace: string, allowed: boolean, admin: PolicyAdmin = "admin") =>
        records.policy.set({ agentId, namespace, allowed }, STAMP, { admin });
      const byOwn = (agentId: string, allowed = true) => set(agentId, "x", allowed, "namespace-admin");
      const results = await Promise.allSettled(["a", "b", "c", "d"].map((agentId) => byOwn(agentId)));
      expect(statuses(results)).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
      expect(results[2]).toMatchObject({ reason: LIMIT_REACHED });
      // A rule that was closed is still one, and can be opened again.
      await byOwn("a", false);
      await expect(byOwn("c")).rejects.toMatchObject(LIMIT_REACHED);
      await byOwn("a");
      const { version } = await records.policy.current();
      expect(await byOwn("nobody", false)).toEqual({ version });
      await set("c", "x", true);
      await set("a", "y", true, "namespace-admin");
      // However many namespaces have admins of their own, the last tenth is for full admins.
      const many = Array.from({ length: 20 }, (_, i) => set("a", `n${i}`, true, "namespace-admin"));
      expect(statuses(await Promise.allSettled(many)).filter((status) => status === "fulfilled")).toHaveLength(14);
      await set("b", "y", true);
      await set("b", "z", true);
      await expect(set("b", "zz", true)).rejects.toMatchObject(LIMIT_REACHED);
      expect(await records.audit(({ complaints }) => complaints())).toEqual([]);
    });

    test("of several writers at once stay within the limit", async () => {
      const records = await limited();
      const others = await store.openAgain({ namespaces: 3, policyRules: 3, namespaceRules: 3 });
      const sets = Array.from({ length: 12 }, (_, i) => (i % 2 ? records : others).policy.set(rule(`n${i}`), STAMP));
      expect(statuses(await Promise.allSettled(sets)).filter((status) => status === "fulfilled")).toHaveLength(3);
      expect(await records.policy.version()).toBe(3);
    });
  });

  describe("the hash chain of the policy", () => {
    test("follows from its first hash and the change log, and the change feed has its digest", async () => {
      const step = fc.oneof(rules, fc.array(rules, { maxLength: 10 }));
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
          const { records } = store;
          for (const made of steps) {
            if (Array.isArray(made)) await records.reset([], policyFrom(made), STAMP);
            else await records.policy.set(made, STAMP);
          }
          const { hashes, changes } = await records.audit(async ({ rows }) => ({
            hashes: await Array.fromAsync(rows("policyChain")),
            changes: await Array.fromAsync(rows("change")),
          }));
          const bit = (value: number | null) => (value === null ? null : value === 1);
          expect(hashes.map(({ version }) => version)).toEqual(hashes.map((_, i) => i));
          for (const [i, { version, chainHash }] of hashes.entries()) {
            if (i === 0) continue;
            const made = changes.filter((change) => change.version === version);
            const plain = made.map(({ was, became, ...rule }) => ({ ...rule, from: bit(was), to: bit(became) }));
            expect(chainHash).toBe(nextChainHash(hashes[i - 1]?.chainHash ?? "", version, plain.toReversed()));
          }
          const { policy } = await records.changeFeed.since({ position: 0, policyVersion: -1 });
          expect(policy?.digest).toBe(policyDigestOf(hashes.at(-1)?.chainHash ?? ""));
        }),
        { numRuns: runs(15) },
      );
    });

    test("begins with a random hash that is the store's own, and keeps it", async () => {
      const digest = async () =>
        (await store.records.changeFeed.since({ position: 0, policyVersion: -1 })).policy?.digest;
      const first = await digest();
      await store.restart();
      expect(await digest()).toBe(first);
      const other = await prepare();
      const records = await other.open();
      const { policy } = await records.changeFeed.since({ position: 0, policyVersion: -1 });
      await records.close();
      await other.destroy();
      expect(policy?.digest).not.toBe(first);
    });
  });

  describe("the change feed", () => {
    test("has the changed rules for a reader that is near, and the whole policy for one that is far behind or ahead", async () => {
      const { records } = store;
      await records.policy.set(rule("x"), STAMP);
      await records.policy.set(rule("x", false), STAMP);
      const since = async (policyVersion: number) =>
        (await records.changeFeed.since({ position: 0, policyVersion })).policy;
      const ofGate = { agentId: "a", namespace: "x" };
      expect(await since(2)).toBeUndefined();
      expect(await since(1)).toMatchObject({ kind: "changes", changes: [{ ...ofGate, to: false }] });
      expect(await since(0)).toMatchObject({
        kind: "changes",
        changes: [
          { ...ofGate, to: true },
          { ...ofGate, to: false },
        ],
      });
      for (const version of [-1, 3])
        expect(await since(version)).toMatchObject({ kind: "whole", rules: [{ ...ofGate, allowed: false }] });
      const many = Array.from({ length: 1_001 }, (_, i) => rule(`n${String(i).padStart(4, "0")}`));
      await records.reset([], policyFrom(many), STAMP);
      expect(await since(2)).toMatchObject({ kind: "whole", rules: many });
    });
  });

  describe("a list of blocked namespaces", () => {
    const names = (count: number, prefix = "n") =>
      Array.from({ length: count }, (_, i) => `${prefix}${String(i).padStart(4, "0")}`);
    const listOf = (names: readonly string[]) => ({ digest: digestOf(names), names });

    test("is kept once, comes back in pages in UTF-8 order, and survives a restart", async () => {
      const list = listOf([...names(2_500), "\uffff", "😀"]);
      await Promise.all([1, 2, 3].map((i) => store.records.receipts.add(receipt(i, { blockedList: list }))));
      const { receipts, audit } = await store.restart();
      await receipts.add(receipt(4, { blockedList: list }));
      const first = await receipts.listedNames({ digest: list.digest, limit: 1_000 });
      expect(first).toEqual(list.names.slice(0, 1_000));
      const rest = await receipts.listedNames({ digest: list.digest, after: first.at(-1) ?? "", limit: 5_000 });
      expect([...first, ...rest]).toEqual(list.names);
      expect(await receipts.listedNames({ digest: "other", limit: 9 })).toEqual([]);
      expect(await audit(({ rows }) => Array.fromAsync(rows("blocked")))).toHaveLength(2_502);
    });

    test("is searched with its receipts", async () => {
      const { receipts } = store.records;
      await receipts.add(receipt(1, { namespaces: ["used"], blockedList: listOf(names(1_500)) }));
      await receipts.add(receipt(2, { namespaces: ["used"], blockedList: listOf(names(1_500, "m")) }));
      await receipts.add(receipt(3, { namespaces: ["n1499"] }));
      const found = async (namespace: string) =>
        (await receipts.page({ limit: 9, namespace })).receipts.map(({ body }) => JSON.parse(body).answerId);
      expect(await found("n1499")).toEqual(["ans_0003", "ans_0001"]);
      expect(await found("m0000")).toEqual(["ans_0002"]);
      expect(await found("used")).toEqual(["ans_0002", "ans_0001"]);
    });
  });

  describe("a page", () => {
    test("of receipts ends before it has more bytes than asked for, and the pages have each receipt once", async () => {
      const { receipts } = store.records;
      const lengths = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 12 });
      const [sizes = []] = fc.sample(lengths, { numRuns: 1, seed: 7 });
      const bodies = sizes.map((length) => "é".repeat(length));
      for (const [i, body] of bodies.entries()) await receipts.add(receipt(i, { body }));
      for (const [bytes, limit] of [
        [400, 100],
        [900, 3],
        [1, 5],
      ] as const) {
        const walked: string[] = [];
        for (let before: string | undefined; ; ) {
          const page = await receipts.page({ limit, bytes, ...(before !== undefined && { before }) });
          const total = page.receipts.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
          expect(page.receipts.length === 1 || total <= bytes).toBe(true);
          walked.push(...page.receipts.map(({ body }) => body));
          before = page.next;
          if (before === undefined) break;
        }
        expect(walked).toEqual(bodies.toReversed());
      }
    });

    test("of memories ends before it has more bytes than asked for, and the pages have each memory once", async () => {
      const { memories } = store.records;
      const all = Array.from({ length: 9 }, (_, i) => memory(i, { content: '"'.repeat(1 + i * 40) }));
      for (const each of all) await memories.add(each);
      const weight = (found: readonly unknown[]) =>
        found.reduce<number>((sum, each) => sum + JSON.stringify(each).length, 0);
      for (const filter of [{}, { contains: '"' }, { namespaces: ["n"] }]) {
        const walked: unknown[] = [];
        for (let before: number | undefined; ; ) {
          const page = await memories.page({ limit: 5, bytes: 800, ...filter, ...(before && { before }) });
          expect(page.memories.length === 1 || weight(page.memories) <= 800).toBe(true);
          walked.push(...page.memories);
          before = page.next;
          if (before === undefined) break;
        }
        expect(walked).toEqual(all.toReversed());
      }
    });
  });
}
