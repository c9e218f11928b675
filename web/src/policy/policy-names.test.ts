import fc from "fast-check";
import { expect, test } from "vitest";
import { policyFrom, rulesOf, withRule } from "#core/gate/policy.ts";
import { namespacesByAgent, openNames } from "./use-agents-and-namespaces.ts";

const names = fc.constantFrom("a", "b", "constructor", "__proto__");
const rules = fc.array(fc.record({ agentId: names, namespace: names, allowed: fc.boolean() }), { maxLength: 20 });

test("the names are those of the policy after each of any changes", () => {
  fc.assert(
    fc.property(rules, (changes) => {
      let policy = policyFrom([]);
      for (const change of changes) {
        policy = withRule(policy, change);
        const current = rulesOf(policy);
        const open = current.filter(({ allowed }) => allowed);
        expect(namespacesByAgent(policy).flat().toSorted()).toEqual(
          current.map(({ namespace }) => namespace).toSorted(),
        );
        expect(openNames(policy)).toEqual({
          agents: new Set(open.map(({ agentId }) => agentId)),
          namespaces: new Set(open.map(({ namespace }) => namespace)),
        });
      }
    }),
  );
});
