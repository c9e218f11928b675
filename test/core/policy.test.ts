import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isAllowed,
  isRevoked,
  type Policy,
  policyFrom,
  revokedNamespaces,
  rulesOf,
  withRule,
} from "#core/gate/policy.ts";
import { agentIds, namespaces, rules } from "#test/support/arbitraries.ts";

describe("a policy", () => {
  test("denies every name without a rule, also names of inherited properties", () => {
    const names = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty"));
    fc.assert(
      fc.property(names, names, (agentId, namespace) => {
        expect(isAllowed(policyFrom([]), agentId, namespace)).toBe(false);
        expect(isAllowed({}, agentId, namespace)).toBe(false);
        expect(isAllowed({ [agentId]: {} } as Policy, agentId, namespace)).toBe(false);
      }),
    );
  });

  test("follows the last rule for an agent and a namespace", () => {
    fc.assert(
      fc.property(fc.array(rules), agentIds, namespaces, (list, agentId, namespace) => {
        const last = list.findLast((rule) => rule.agentId === agentId && rule.namespace === namespace);
        const policy = policyFrom(list);
        expect(isAllowed(policy, agentId, namespace)).toBe(last?.allowed === true);
        expect(revokedNamespaces(policy, agentId).includes(namespace)).toBe(last?.allowed === false);
        expect(isRevoked(policy, agentId, namespace)).toBe(last?.allowed === false);
      }),
    );
  });

  test("with one more rule is the policy of all rules", () => {
    fc.assert(
      fc.property(fc.array(rules), rules, (list, rule) => {
        const before = policyFrom(list);
        expect(withRule(before, rule)).toEqual(policyFrom([...list, rule]));
        expect(before).toEqual(policyFrom(list));
      }),
    );
  });

  test("does not allow for a rule that is only truthy", () => {
    expect(isAllowed({ a: { b: "false" } } as unknown as Policy, "a", "b")).toBe(false);
    expect(isAllowed({ a: { b: 1 } } as unknown as Policy, "a", "b")).toBe(false);
  });

  test("keeps agent and namespace apart: agent a with namespace b.c is not agent a.b with namespace c", () => {
    const policy = policyFrom([{ agentId: "a", namespace: "b.c", allowed: true }]);
    expect(isAllowed(policy, "a.b", "c")).toBe(false);
    expect(isAllowed(policy, "A", "b.c")).toBe(false);
  });

  test("can be rebuilt from its rules and from its JSON", () => {
    fc.assert(
      fc.property(fc.array(rules).map(policyFrom), (policy) => {
        expect(policyFrom(rulesOf(policy))).toEqual(policy);
        expect(JSON.parse(JSON.stringify(policy))).toEqual(policy);
      }),
    );
  });
});
