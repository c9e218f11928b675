import fc from "fast-check";
import { expect, test } from "vitest";
import { type Policy, policyFrom, rulesOf } from "#core/gate/policy.ts";
import { nextChainHash } from "#core/gate/policy-chain.ts";
import type { PolicyChange } from "#ports.ts";
import { agentIds, namespaces } from "#test/support/arbitraries.ts";
import { runs } from "#test/support/runs.ts";
import { byVersionThenName, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const rules = fc.record({ agentId: agentIds, namespace: namespaces, allowed: fc.boolean() });
const removals = fc.record({ agentId: agentIds, namespace: namespaces, allowed: fc.constant(null) });

export function policySuite(prepare: Prepare): void {
  const store = storeForEach(prepare);

  test("rules are set one by one, as in a map, and the version counts the real changes", async () => {
    const { policy } = store.records;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(rules, removals), { maxLength: 12 }), async (steps) => {
        for (const { agentId, namespace, allowed } of steps) {
          const before = await policy.current();
          const after = await policy.set({ agentId, namespace, allowed }, STAMP);
          const had = ruleOf(before.policy, agentId, namespace);
          // What has no rule is blocked, and gets none when it is closed.
          const isChange = allowed === null ? had !== undefined : (had ?? false) !== allowed;
          expect(after.version).toBe(isChange ? before.version + 1 : before.version);
          const others = rulesOf(before.policy).filter((r) => r.agentId !== agentId || r.namespace !== namespace);
          const set = allowed === null ? [] : [{ agentId, namespace, allowed }];
          const expected = isChange ? policyFrom([...others, ...set]) : before.policy;
          expect(await policy.current()).toEqual({ policy: expected, version: after.version });
          expect(await policy.version()).toBe(after.version);
        }
      }),
      { numRuns: runs(20) },
    );
  });

  test("the change log says who changed which rule, when, from what and to what", async () => {
    const { records } = store;
    const rule = { agentId: "__proto__", namespace: "n" };
    await records.policy.set({ ...rule, allowed: true }, STAMP);
    await records.policy.set({ ...rule, allowed: true }, STAMP);
    await records.policy.set({ ...rule, allowed: false }, { by: "other", at: "2026-01-03T00:00:00.000Z" });
    await records.reset([], policyFrom([]), STAMP);
    const { policy } = await store.restart();
    expect((await policy.changes({ limit: 10 })).changes).toEqual([
      { ...rule, ...STAMP, version: 3, from: false, to: null },
      { ...rule, by: "other", at: "2026-01-03T00:00:00.000Z", version: 2, from: true, to: false },
      { ...rule, ...STAMP, version: 1, from: null, to: true },
    ]);
  });

  test("pages of the change log have every change once, also when they end inside a version", async () => {
    const { records } = store;
    const step = fc.oneof(rules, fc.array(rules, { maxLength: 20 }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.integer({ min: 1, max: 7 }), async (steps, limit) => {
        for (const made of steps) {
          if (Array.isArray(made)) await records.reset([], policyFrom(made), STAMP);
          else await records.policy.set(made, STAMP);
        }
        const { changes: all, next: none } = await records.policy.changes({ limit: 1_000_000 });
        expect(none).toBeUndefined();
        expect(all).toEqual(all.toSorted(byVersionThenName));
        const walked: PolicyChange[] = [];
        for (let page = await records.policy.changes({ limit }); ; ) {
          walked.push(...page.changes);
          if (page.next === undefined) break;
          expect(page.changes).toHaveLength(limit);
          page = await records.policy.changes({ limit, from: page.next });
        }
        expect(walked).toEqual(all);
        for (const filter of [{ agentId: all[0]?.agentId ?? "a" }, { namespace: all[0]?.namespace ?? "n" }]) {
          const passing = all.filter((change) =>
            Object.entries(filter).every(([field, value]) => change[field as "agentId" | "namespace"] === value),
          );
          const filtered: PolicyChange[] = [];
          for (let page = await records.policy.changes({ limit, ...filter }); ; ) {
            filtered.push(...page.changes);
            if (page.next === undefined) break;
            page = await records.policy.changes({ limit, from: page.next, ...filter });
          }
          expect(filtered).toEqual(passing);
        }
        const oldestFirst = all.toSorted((a, b) => a.version - b.version || -byVersionThenName(b, a));
        for (let i = 0; i < all.length; i += 3) {
          const { version = 0 } = oldestFirst[i] ?? {};
          const rules = i - oldestFirst.findIndex((change) => change.version === version);
          expect(await records.policy.changesFrom({ version, rules }, 5)).toEqual(oldestFirst.slice(i, i + 5));
        }
      }),
      { numRuns: runs(25) },
    );
  });

  test("the version moves past that of a gate in a change of no rule, which is on record and in the hash chain", async () => {
    let { policy, ledgerGates } = store.records;
    const rule = { agentId: "a", namespace: "n", allowed: true };
    await policy.set(rule, STAMP);
    await policy.moveBeyond(41, { gateId: "0xa", after: 1 }, STAMP);
    await policy.set({ ...rule, allowed: false }, STAMP);
    // The policy is ahead of this one.
    await policy.moveBeyond(7, { gateId: "0xb", after: 0 }, STAMP);
    ({ policy, ledgerGates } = await store.restart());
    expect(await policy.current()).toEqual({ policy: policyFrom([{ ...rule, allowed: false }]), version: 44 });
    const noRule = { agentId: "", namespace: "", from: null, to: null, ...STAMP };
    expect(await policy.changesFrom({ version: 2, rules: 0 }, 10)).toEqual([
      { ...noRule, version: 42 },
      { agentId: "a", namespace: "n", from: true, to: false, ...STAMP, version: 43 },
      { ...noRule, version: 44 },
    ]);
    expect(await ledgerGates.find("0xa")).toEqual({ greatest: 0, moves: [{ after: 1, version: 42 }] });
    expect(await ledgerGates.find("0xb")).toEqual({ greatest: 0, moves: [{ after: 0, version: 44 }] });

    const hashes = await store.records.audit(async ({ rows }) => Array.fromAsync(rows("policyChain")));
    expect(hashes.map(({ version }) => version)).toEqual([0, 1, 42, 43, 44]);
    const [, first, moved] = hashes;
    expect(moved?.chainHash).toBe(nextChainHash(first?.chainHash ?? "", 42, [noRule]));
  });
}

function ruleOf(policy: Policy, agentId: string, namespace: string) {
  return rulesOf(policy).find((rule) => rule.agentId === agentId && rule.namespace === namespace)?.allowed;
}
