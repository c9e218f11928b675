import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { completed, RECALL_LIMIT, recall } from "#core/gate/gate.ts";
import { isAllowed, policyFrom } from "#core/gate/policy.ts";
import { foldNearDuplicates } from "#core/recall/near-duplicates.ts";
import {
  agentIds,
  embedLetters,
  memoriesOf,
  namespaces,
  pinnableFacts,
  policies,
  texts,
} from "#test/support/arbitraries.ts";

const stores = fc.array(pinnableFacts, { maxLength: 25 }).map(memoriesOf);

const asked = { now: new Date("2026-05-10T08:00:00Z"), embed: embedLetters };

describe("recall", () => {
  test("returns allowed memories only, and lists every other namespace as blocked", () => {
    fc.assert(
      fc.property(agentIds, texts, stores, policies, (agentId, query, memories, policy) => {
        const { memories: used, blockedNamespaces } = recall({ ...asked, agentId, query }, memories, policy);
        expect(used.every(({ namespace }) => isAllowed(policy, agentId, namespace))).toBe(true);
        const existing = [...new Set(memories.map(({ namespace }) => namespace))].sort();
        expect(blockedNamespaces).toEqual(existing.filter((namespace) => !isAllowed(policy, agentId, namespace)));
      }),
    );
  });

  test("gives nothing to an agent without an entry, and blocks every namespace", () => {
    fc.assert(
      fc.property(fc.string(), texts, stores, policies, (suffix, query, memories, policy) => {
        const { memories: used, blockedNamespaces } = recall(
          { ...asked, agentId: `nobody${suffix}`, query },
          memories,
          policy,
        );
        expect(used).toEqual([]);
        expect(new Set(blockedNamespaces)).toEqual(new Set(memories.map(({ namespace }) => namespace)));
      }),
    );
  });

  test("gives up to the limit, and four at least if there are as many that are no near-duplicates", () => {
    fc.assert(
      fc.property(texts, stores, namespaces, fc.integer({ min: 1, max: 20 }), (query, memories, namespace, limit) => {
        const policy = policyFrom([{ agentId: "a", namespace, allowed: true }]);
        const allowed = memories.filter((memory) => memory.namespace === namespace);
        const { memories: used } = recall({ ...asked, agentId: "a", query, limit }, memories, policy);
        expect(used.length).toBeLessThanOrEqual(limit);
        expect(used.length).toBeGreaterThanOrEqual(Math.min(limit, completed(foldNearDuplicates(allowed)).length, 1));
        expect(new Set(used.map(({ memoryId }) => memoryId)).size).toBe(used.length);
      }),
    );
  });

  const contentsFor = (query: string, contents: readonly string[]) => {
    const memories = memoriesOf(contents.map((content) => ({ namespace: "n", content })));
    const policy = policyFrom([{ agentId: "a", namespace: "n", allowed: true }]);
    return recall({ ...asked, embed: () => undefined, agentId: "a", query }, memories, policy).memories;
  };

  test("puts matching memories first, then adds the newest up to four", () => {
    const contents = ["tea in the morning", "peanut allergy", "tea at night", "a red bicycle", "rain", "a blue door"];
    const used = contentsFor("Which peanuts?", contents);
    expect(used.map(({ content }) => content)).toEqual(["peanut allergy", "a blue door", "rain", "a red bicycle"]);
    expect(used.map(({ why }) => why)).toEqual([
      { terms: ["peanut"] },
      { newest: true },
      { newest: true },
      { newest: true },
    ]);
  });

  test("gives the newest up to the limit when the question is about everything", () => {
    const contents = Array.from({ length: 20 }, (_, i) => `fact number ${i}`);
    expect(contentsFor("What do you know about me?", contents).length).toBe(RECALL_LIMIT);
    expect(contentsFor("Hello!", contents).length).toBe(4);
  });

  test("leaves out what does not bear on the question when enough does", () => {
    const contents = [...Array.from({ length: 6 }, (_, i) => `peanut dish number ${i}`), "rain", "a red bicycle"];
    expect(contentsFor("Which peanuts?", contents).map(({ content }) => content)).not.toContain("rain");
  });

  test("finds words of the same family, forgives typing errors, and reads dates", () => {
    const contents = [
      "Severe peanut allergy.",
      "Flies to Lisbon on 12 May.",
      "Blood pressure was fine in March.",
      "Dentist on Monday.",
      "The car is red.",
      "Meets the lead at nine.",
    ];
    const first = (query: string) => contentsFor(query, contents)[0]?.content;
    expect(first("Am I allergic to anything?")).toBe("Severe peanut allergy.");
    expect(first("Any alergies?")).toBe("Severe peanut allergy.");
    expect(first("What is coming up in May?")).toBe("Flies to Lisbon on 12 May.");
    expect(first("What happens on 2026-05-12?")).toBe("Flies to Lisbon on 12 May.");
    expect(first("What's the dentist's day?")).toBe("Dentist on Monday.");
  });

  test("gives a fact once, and a fact and its opposite both", () => {
    const contents = ["No peanuts for me.", "no peanuts, for me!", "Peanuts for me."];
    const used = contentsFor("peanuts", contents).map(({ content }) => content);
    expect(used.toSorted()).toEqual(["Peanuts for me.", "no peanuts, for me!"]);
    expect(contentsFor("tea", ["I like tea.", "I need the tea.", "I don't need tea.", "I need tea!"])).toHaveLength(3);
    expect(contentsFor("Who owes whom?", ["Anna owes Ben.", "Ben owes Anna."])).toHaveLength(2);
  });

  test("puts pinned memories before the best ones, newest first, in at most half of the places", () => {
    const policy = policyFrom([{ agentId: "a", namespace: "n", allowed: true }]);
    const recalled = (pinned: readonly string[], limit: number) => {
      const contents = ["tea", "milk", "peanut", "bread", "fish", "rice"];
      const memories = memoriesOf(
        contents.map((content) => ({ namespace: "n", content, pinned: pinned.includes(content) })),
      );
      const query = { ...asked, embed: () => undefined, agentId: "a", query: "peanut", limit };
      return recall(query, memories, policy).memories;
    };
    const contentsOf = (...question: Parameters<typeof recalled>) =>
      recalled(...question).map(({ content }) => content);
    expect(contentsOf([], 4)).toEqual(["peanut", "rice", "fish", "bread"]);
    expect(contentsOf(["tea"], 4)).toEqual(["tea", "peanut", "rice", "fish"]);
    expect(contentsOf(["tea", "milk", "bread"], 4)).toEqual(["bread", "milk", "peanut", "rice"]);
    expect(contentsOf(["peanut", "tea"], 5)).toEqual(["peanut", "tea", "rice", "fish", "bread"]);
    expect(contentsOf(["tea"], 1)).toEqual(["peanut"]);
    const whys = recalled(["peanut", "tea"], 5).map(({ why }) => why);
    expect(whys.slice(0, 3)).toEqual([{ terms: ["peanut"], pinned: true }, { pinned: true }, { newest: true }]);
  });

  test("does not give a pinned memory of a namespace that the agent may not use", () => {
    const memories = memoriesOf([
      { namespace: "closed", content: "secret", pinned: true },
      { namespace: "open", content: "tea" },
    ]);
    const policy = policyFrom([{ agentId: "a", namespace: "open", allowed: true }]);
    const { memories: used } = recall({ ...asked, agentId: "a", query: "secret" }, memories, policy);
    expect(used.map(({ content }) => content)).toEqual(["tea"]);
  });

  test("ranks by allowed memories alone: the text of blocked memories does not change the result", () => {
    const pairs = fc.array(fc.tuple(pinnableFacts, texts), { maxLength: 25 });
    fc.assert(
      fc.property(agentIds, texts, pairs, policies, (agentId, query, drawn, policy) => {
        const one = memoriesOf(drawn.map(([fact]) => fact));
        const other = memoriesOf(
          drawn.map(([fact, text]) => (isAllowed(policy, agentId, fact.namespace) ? fact : { ...fact, content: text })),
        );
        expect(recall({ ...asked, agentId, query }, other, policy)).toEqual(
          recall({ ...asked, agentId, query }, one, policy),
        );
      }),
    );
  });
});
