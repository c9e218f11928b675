import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recall } from "#core/gate/gate.ts";
import { isAllowed, policyFrom } from "#core/gate/policy.ts";
import { agentIds, memoriesOf, namespaces, pinnableFacts, policies, texts } from "#test/support/arbitraries.ts";

const stores = fc.array(pinnableFacts, { maxLength: 25 }).map(memoriesOf);

describe("recall", () => {
  test("returns allowed memories only, and lists every other namespace as blocked", () => {
    fc.assert(
      fc.property(agentIds, texts, stores, policies, (agentId, query, memories, policy) => {
        const { memories: used, blockedNamespaces } = recall(agentId, query, memories, policy);
        expect(used.every(({ namespace }) => isAllowed(policy, agentId, namespace))).toBe(true);
        const existing = [...new Set(memories.map(({ namespace }) => namespace))].sort();
        expect(blockedNamespaces).toEqual(existing.filter((namespace) => !isAllowed(policy, agentId, namespace)));
      }),
    );
  });

  test("gives nothing to an agent without an entry, and blocks every namespace", () => {
    fc.assert(
      fc.property(fc.string(), texts, stores, policies, (suffix, query, memories, policy) => {
        const { memories: used, blockedNamespaces } = recall(`nobody${suffix}`, query, memories, policy);
        expect(used).toEqual([]);
        expect(new Set(blockedNamespaces)).toEqual(new Set(memories.map(({ namespace }) => namespace)));
      }),
    );
  });

  test("fills up to the limit with allowed memories that do not match", () => {
    fc.assert(
      fc.property(texts, stores, namespaces, fc.integer({ min: 1, max: 20 }), (query, memories, namespace, limit) => {
        const policy = policyFrom([{ agentId: "a", namespace, allowed: true }]);
        const allowed = memories.filter((memory) => memory.namespace === namespace);
        expect(recall("a", query, memories, policy, limit).memories.length).toBe(Math.min(limit, allowed.length));
      }),
    );
  });

  test("puts matching memories first and then the newest, and the newer of two equal ones first", () => {
    const contents = ["tea in the morning", "peanut allergy", "tea at night", "a red bicycle"];
    const memories = memoriesOf(contents.map((content) => ({ namespace: "n", content })));
    const policy = policyFrom([{ agentId: "a", namespace: "n", allowed: true }]);
    const used = recall("a", "Which peanuts?", memories, policy).memories.map(({ content }) => content);
    expect(used).toEqual(["peanut allergy", "a red bicycle", "tea at night", "tea in the morning"]);
  });

  test("puts pinned memories before the best ones, newest first, in at most half of the places", () => {
    const policy = policyFrom([{ agentId: "a", namespace: "n", allowed: true }]);
    const recalled = (pinned: readonly string[], limit: number) => {
      const contents = ["tea", "milk", "peanut", "bread", "fish", "rice"];
      const memories = memoriesOf(
        contents.map((content) => ({ namespace: "n", content, pinned: pinned.includes(content) })),
      );
      return recall("a", "peanut", memories, policy, limit).memories.map(({ content }) => content);
    };
    expect(recalled([], 4)).toEqual(["peanut", "rice", "fish", "bread"]);
    expect(recalled(["tea"], 4)).toEqual(["tea", "peanut", "rice", "fish"]);
    expect(recalled(["tea", "milk", "bread"], 4)).toEqual(["bread", "milk", "peanut", "rice"]);
    expect(recalled(["peanut", "tea"], 5)).toEqual(["peanut", "tea", "rice", "fish", "bread"]);
    expect(recalled(["tea"], 1)).toEqual(["peanut"]);
  });

  test("does not give a pinned memory of a namespace that the agent may not use", () => {
    const memories = memoriesOf([
      { namespace: "closed", content: "secret", pinned: true },
      { namespace: "open", content: "tea" },
    ]);
    const policy = policyFrom([{ agentId: "a", namespace: "open", allowed: true }]);
    expect(recall("a", "secret", memories, policy).memories.map(({ content }) => content)).toEqual(["tea"]);
  });

  test("ranks by allowed memories alone: the text of blocked memories does not change the result", () => {
    const pairs = fc.array(fc.tuple(pinnableFacts, texts), { maxLength: 25 });
    fc.assert(
      fc.property(agentIds, texts, pairs, policies, (agentId, query, drawn, policy) => {
        const one = memoriesOf(drawn.map(([fact]) => fact));
        const other = memoriesOf(
          drawn.map(([fact, text]) => (isAllowed(policy, agentId, fact.namespace) ? fact : { ...fact, content: text })),
        );
        expect(recall(agentId, query, other, policy)).toEqual(recall(agentId, query, one, policy));
      }),
    );
  });
});
