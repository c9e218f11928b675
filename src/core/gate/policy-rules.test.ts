import fc from "fast-check";
import { expect, test } from "vitest";
import { byUtf8 } from "#core/encoding/utf8-order.ts";
import { policyFrom } from "./policy.ts";
import { agentsOf, NO_RULES, type PolicyRules, policyOf, rulesFrom, withChange } from "./policy-rules.ts";

const name = (i: number) => (i % 7 === 0 ? `__proto__${i}` : i % 5 === 0 ? `😀${i}` : `\uffff${i}`);
const changes = fc.array(
  fc.record({
    agentId: fc.integer({ min: 0, max: 5 }).map(name),
    namespace: fc.integer({ min: 0, max: 400 }).map(name),
    to: fc.constantFrom(true, false, null, true),
  }),
  { maxLength: 3_000, size: "max" },
);

test("rules change one by one as in a map, in order, and older versions stay as they were", () => {
  fc.assert(
    fc.property(changes, (list) => {
      const expected = new Map<string, { agentId: string; namespace: string; allowed: boolean }>();
      const versions: { rules: PolicyRules; text: string }[] = [];
      let rules = NO_RULES;
      for (const [i, { agentId, namespace, to }] of list.entries()) {
        rules = withChange(rules, { agentId, namespace, to });
        const key = JSON.stringify([agentId, namespace]);
        if (to === null) expected.delete(key);
        else expected.set(key, { agentId, namespace, allowed: to });
        if (i % 500 === 0) versions.push({ rules, text: JSON.stringify(rules) });
      }
      const unsorted = [...expected.values()];
      const sorted = unsorted.toSorted((a, b) => byUtf8(a.agentId, b.agentId) || byUtf8(a.namespace, b.namespace));
      expect(rules.flat()).toEqual(sorted);
      expect(rulesFrom(unsorted).flat()).toEqual(sorted);
      expect(rules.every((chunk) => chunk.length > 0 && chunk.length <= 512)).toBe(true);
      for (const agentId of [0, 1, 2, 3, 4, 5, 6].map(name)) {
        expect(policyOf(rules, agentId)).toEqual(policyFrom(unsorted.filter((rule) => rule.agentId === agentId)));
      }
      expect(agentsOf(rules, 3)).toEqual([...new Set(sorted.map(({ agentId }) => agentId))].slice(0, 3));
      for (const { rules: older, text } of versions) expect(JSON.stringify(older)).toBe(text);
    }),
    { numRuns: 30 },
  );
});

test("a change copies one chunk of a hundred thousand rules, and shares the others", () => {
  const rules = Array.from({ length: 100_000 }, (_, i) => ({
    agentId: `agent ${i % 100}`,
    namespace: `namespace ${i}`,
    allowed: true,
  }));
  const before = rulesFrom(rules);
  const after = withChange(before, { agentId: "agent 50", namespace: "new", to: false });
  const shared = new Set(before);
  expect(after.filter((chunk) => !shared.has(chunk)).length).toBe(1);
});
