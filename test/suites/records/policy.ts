import fc from "fast-check";
import { expect, test } from "vitest";
import { type Policy, policyFrom, rulesOf } from "#core/gate/policy.ts";
import type { PolicyChange } from "#ports.ts";
import { agentIds, namespaces } from "#test/support/arbitraries.ts";
import { byVersionThenName, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const rules = fc.record({ agentId: agentIds, namespace: namespaces, allowed: fc.boolean() });

export function policySuite(prepare: Prepare): void {
  const store = storeForEach(prepare);

  test("leaves are set one by one, as in a map, and the version counts the real changes", async () => {
    const { policy } = store.records;
    await fc.assert(
      fc.asyncProperty(fc.array(rules, { maxLength: 12 }), async (steps) => {
        for (const { agentId, namespace, allowed } of steps) {
          const before = await policy.current();
          const after = await policy.set({ agentId, namespace, allowed }, STAMP);
          const had = leafOf(before.policy, agentId, namespace);
          expect(after.version).toBe(had === allowed ? before.version : before.version + 1);
          const others = rulesOf(before.policy).filter((r) => r.agentId !== agentId || r.namespace !== namespace);
          const expected = policyFrom([...others, { agentId, namespace, allowed }]);
          expect(await policy.current()).toEqual({ policy: expected, version: after.version });
          expect(await policy.version()).toBe(after.version);
        }
      }),
      { numRuns: 20 },
    );
  });

  test("the change log says who changed which leaf, when, from what and to what", async () => {
    const { records } = store;
    const leaf = { agentId: "__proto__", namespace: "n" };
    await records.policy.set({ ...leaf, allowed: true }, STAMP);
    await records.policy.set({ ...leaf, allowed: true }, STAMP);
    await records.policy.set({ ...leaf, allowed: false }, { by: "other", at: "2026-01-03T00:00:00.000Z" });
    await records.reset([], policyFrom([]), STAMP);
    const { policy } = await store.restart();
    expect((await policy.changes({ limit: 10 })).changes).toEqual([
      { ...leaf, ...STAMP, version: 3, from: false, to: null },
      { ...leaf, by: "other", at: "2026-01-03T00:00:00.000Z", version: 2, from: true, to: false },
      { ...leaf, ...STAMP, version: 1, from: null, to: true },
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
      }),
      { numRuns: 25 },
    );
  });
}

function leafOf(policy: Policy, agentId: string, namespace: string) {
  return rulesOf(policy).find((rule) => rule.agentId === agentId && rule.namespace === namespace)?.allowed;
}
