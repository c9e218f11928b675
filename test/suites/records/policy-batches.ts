// Many rules as one change of the policy.
import fc from "fast-check";
import { expect, test } from "vitest";
import { policyFrom, rulesOf, type WantedRule } from "#core/gate/policy.ts";
import { nextChainHash } from "#core/gate/policy-chain.ts";
import type { PolicyAdmin, RecordStore } from "#ports.ts";
import { runs } from "#test/support/runs.ts";
import { decision } from "./decisions.ts";
import { newMemory, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const LIMITS = { namespaces: 10, policyRules: 10, namespaceRules: 3 };
const names = fc.constantFrom("a", "b", "c", "__proto__");
const cells = fc.record({ agentId: names, namespace: names });
const isSameCell = (a: Omit<WantedRule, "allowed">, b: Omit<WantedRule, "allowed">) =>
  a.agentId === b.agentId && a.namespace === b.namespace;
const batches = fc
  .uniqueArray(cells, { minLength: 1, maxLength: 12, comparator: isSameCell })
  .chain((all) => fc.tuple(...all.map((cell) => wanted.map((allowed) => ({ ...cell, allowed })))));
const wanted = fc.constantFrom(true, false, null);
const policies = fc
  .uniqueArray(fc.record({ agentId: names, namespace: names, allowed: fc.boolean() }), { comparator: isSameCell })
  .map((rules) => policyFrom(rules.slice(0, LIMITS.policyRules)));
const admins = fc.constantFrom<PolicyAdmin>("admin", "namespace-admin");

export function policyBatchSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const rule = (agentId: string, namespace: string, allowed: boolean | null) => ({ agentId, namespace, allowed });

  /** What changed after this version, and what the decision log has of it. */
  async function madeSince(records: RecordStore, version: number, sequence: number) {
    const changes = await records.policy.changesFrom({ version: version + 1, rules: 0 }, 1_000);
    const { decisions } = await records.decisions.page({ limit: 1_000 });
    const decided = decisions.filter((each) => each.sequence > sequence && each.details !== undefined);
    const byName = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
    return {
      policy: (await records.policy.current()).policy,
      versions: new Set(changes.map((change) => change.version)),
      changes: changes.map(({ agentId, namespace, from, to }) => ({ agentId, namespace, from, to })).sort(byName),
      decided: decided.map(({ agentId, namespace, details }) => ({ agentId, namespace, details })).sort(byName),
    };
  }

  /** Sets the policy, and makes the change. */
  async function startingWith(
    records: RecordStore,
    policy: ReturnType<typeof policyFrom>,
    change: () => Promise<unknown>,
  ) {
    await records.reset([], policy, STAMP);
    const version = await records.policy.version();
    const [{ sequence = 0 } = {}] = (await records.decisions.page({ limit: 1 })).decisions;
    await change();
    return { version, ...(await madeSince(records, version, sequence)) };
  }

  test("a batch is the same as its changes one after another, in one version; when one is refused, nothing changes", async () => {
    const records = await store.restart(LIMITS);
    const stamp = { ...STAMP, decision: decision({}) };
    await fc.assert(
      fc.asyncProperty(policies, batches, admins, async (before, rules, admin) => {
        let refusal: { readonly index: number; readonly code: string } | undefined;
        const singly = await startingWith(records, before, async () => {
          for (const [index, each] of rules.entries()) {
            if (refusal !== undefined) break;
            await records.policy.set(each, stamp, { admin }).catch(({ code }) => {
              refusal = { index, code };
            });
          }
        });
        let error: unknown;
        const together = await startingWith(records, before, () =>
          records.policy.setAll(rules, stamp, { admin }).catch((reason: unknown) => {
            error = reason;
          }),
        );
        if (refusal !== undefined) {
          const pointer = `#/rules/${refusal.index}`;
          expect(error).toMatchObject({ code: refusal.code, fields: [{ pointer }] });
          expect(together).toMatchObject({ policy: before, changes: [], decided: [] });
          return;
        }
        expect(error).toBeUndefined();
        expect(together.policy).toEqual(singly.policy);
        expect(together.changes).toEqual(singly.changes);
        expect(together.decided).toEqual(
          together.changes.map(({ to, from: _, ...gate }) => ({ ...gate, details: { allowed: to } })),
        );
        expect(singly.versions.size).toBe(singly.changes.length);
        expect(together.versions.size).toBe(Math.min(1, together.changes.length));
      }),
      { numRuns: runs(60) },
    );
    expect(await records.audit(({ complaints }) => complaints())).toEqual([]);
    const { hashes, log } = await records.audit(async ({ rows }) => ({
      hashes: await Array.fromAsync(rows("policyChain")),
      log: await Array.fromAsync(rows("change")),
    }));
    const bit = (value: number | null) => (value === null ? null : value === 1);
    const byVersion = Map.groupBy(log, ({ version }) => version);
    for (const [i, { version, chainHash }] of hashes.entries()) {
      if (i === 0) continue;
      const made = (byVersion.get(version) ?? []).map(({ was, became, ...each }) => ({
        ...each,
        from: bit(was),
        to: bit(became),
      }));
      expect(chainHash).toBe(nextChainHash(hashes[i - 1]?.chainHash ?? "", version, made));
    }
  });

  test("a rule that is removed is as if it had never been set, also after a restart, and its change is on record", async () => {
    const { policy } = store.records;
    await policy.set(rule("a", "x", true), STAMP);
    await policy.set(rule("a", "y", true), STAMP);
    await policy.set(rule("a", "y", false), STAMP);
    expect(await policy.set(rule("a", "x", null), STAMP)).toEqual({ version: 4 });
    expect(await policy.set(rule("a", "x", null), STAMP)).toEqual({ version: 4 });
    expect(await policy.set(rule("a", "x", false), STAMP)).toEqual({ version: 4 });
    expect(await policy.set(rule("a", "y", null), STAMP)).toEqual({ version: 5 });
    const records = await store.restart();
    expect(await records.policy.current()).toEqual({ policy: policyFrom([]), version: 5 });
    const { changes } = await records.policy.changes({ limit: 2 });
    expect(changes).toEqual([
      { ...STAMP, version: 5, agentId: "a", namespace: "y", from: false, to: null },
      { ...STAMP, version: 4, agentId: "a", namespace: "x", from: true, to: null },
    ]);
    expect(await records.audit(({ complaints }) => complaints())).toEqual([]);
  });

  test("a removed rule makes room for another, also for the admins of a namespace that has more than they may give it", async () => {
    const records = await store.restart({ namespaces: 3, policyRules: 20, namespaceRules: 2 });
    const own = { admin: "namespace-admin" } as const;
    for (const agentId of ["a", "b", "c", "d"]) await records.policy.set(rule(agentId, "x", true), STAMP);
    const another = (...removed: string[]) =>
      records.policy.setAll([...removed.map((agentId) => rule(agentId, "x", null)), rule("e", "x", true)], STAMP, own);
    const refused = (index: number) => ({ code: "limit-reached", fields: [{ pointer: `#/rules/${index}` }] });
    await expect(another()).rejects.toMatchObject(refused(0));
    await expect(another("a", "b")).rejects.toMatchObject(refused(2));
    expect(await another("a", "b", "c")).toEqual({ version: 5 });
    expect(rulesOf((await records.policy.current()).policy)).toEqual([rule("d", "x", true), rule("e", "x", true)]);
  });

  test("a thousand rules are one version, which followers get as changes, and one event each", async () => {
    const { records } = store;
    const rules = Array.from({ length: 1_000 }, (_, i) => rule(`agent ${i}`, `n${i % 7}`, true));
    const { head } = await records.events.position();
    expect(await records.policy.setAll(rules, STAMP)).toEqual({ version: 1 });
    const { policy } = await records.changeFeed.since({ position: 0, policyVersion: 0 });
    expect(policy).toMatchObject({ kind: "changes" });
    expect(rulesOf((await records.policy.current()).policy)).toHaveLength(1_000);
    const events = await records.events.after({ after: head, limit: 2_000 });
    expect(events).toHaveLength(1_000);
    expect(events[0]).toMatchObject({ kind: "policy-changed", version: 1, changed: rules[0] });
    await records.policy.setAll(
      rules.map((each) => ({ ...each, allowed: null })),
      STAMP,
    );
    expect(await records.policy.current()).toEqual({ policy: policyFrom([]), version: 2 });
    expect(await records.audit(({ complaints }) => complaints())).toEqual([]);
  });

  test("of two batches for one version of the policy, one is made and the other refused whole", async () => {
    const { records } = store;
    const moved = { code: "policy-changed" };
    await expect(records.policy.setAll([rule("a", "x", false)], STAMP, { ifVersion: 1 })).rejects.toMatchObject(moved);
    const together = await Promise.allSettled([
      records.policy.setAll([rule("a", "y", true), rule("b", "y", true)], STAMP, { ifVersion: 0 }),
      records.policy.setAll([rule("b", "x", true)], STAMP, { ifVersion: 0 }),
    ]);
    expect(together.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { version } = await records.policy.current();
    expect(version).toBe(1);
    expect(await records.policy.setAll([rule("a", "z", true)], STAMP, { ifVersion: 1 })).toEqual({ version: 2 });
    expect(await records.audit(({ complaints }) => complaints())).toEqual([]);
  });

  test("names of a batch that look like another, or like each other, are refused with the rule that has them, unless they are allowed", async () => {
    const { records } = store;
    const capture = (namespace: string, sourceAgent = "s") =>
      records.memories.add(newMemory("c", { namespace, sourceAgent }));
    const confusable = (pointer: string) => ({ code: "confusable-name", fields: [{ pointer }] });
    await capture("n", "anna1");
    const rules = [rule("bob", "x", true), rule("annaI", "y", false), rule("annal", "x", true)];
    await expect(records.policy.setAll(rules, STAMP)).rejects.toMatchObject(confusable("#/rules/2/agentId"));
    const alike = [rule("bob", "diet", true), rule("bob", "dіet", true)];
    await expect(records.policy.setAll(alike, STAMP)).rejects.toMatchObject(confusable("#/rules/1/namespace"));
    expect(await records.policy.current()).toEqual({ policy: policyFrom([]), version: 0 });

    const allowed = { allowConfusable: true };
    expect(await records.policy.setAll([...rules, ...alike], STAMP, allowed)).toEqual({ version: 1 });
    expect(await records.policy.set(rule("annaI", "x", true), STAMP, allowed)).toEqual({ version: 2 });
    // They are in use now. Others that look like them are not.
    for (const [namespace, agent] of [
      ["diet", "annal"],
      ["dіet", "annaI"],
    ] as const)
      await capture(namespace, agent);
    await expect(capture("𝐝iet")).rejects.toMatchObject({ code: "confusable-name" });
    await expect(records.policy.set(rule("anna|", "x", true), STAMP)).rejects.toMatchObject({
      code: "confusable-name",
    });
    const again = await store.restart();
    await again.policy.set(rule("annal", "z", true), STAMP);
    await again.policy.setAll([...rules, ...alike], STAMP);
  });
}
