import fc from "fast-check";
import { expect, test } from "vitest";
import { recall } from "#core/gate/gate.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { embedLetters, facts, memoriesOf, texts } from "#test/support/arbitraries.ts";
import { runs } from "#test/support/runs.ts";

const NOW = new Date("2026-05-10T12:00:00Z");
const LONE = { namespace: "travel", content: "The flight to Lisbon leaves at noon." };
const policyFor = (namespaces: readonly string[]) =>
  policyFrom(namespaces.map((namespace) => ({ agentId: "a", namespace, allowed: true })));

test("a memory that matches three words is relevant, although it is alone", () => {
  const ask = (query: string) => recall({ agentId: "a", query, now: NOW }, memoriesOf([LONE]), policyFor(["travel"]));
  expect(ask("The flight to Lisbon at noon?").memories).toMatchObject([{ score: 0, relevance: 0.35 }]);
  expect(ask("Which colour has the bicycle?").memories).toMatchObject([{ relevance: 0.01 }]);
  // A typing error costs a part of it.
  const [spelt] = ask("The flight to Lisbonn at noon?").memories;
  expect(spelt?.relevance).toBeGreaterThan(0.1);
  expect(spelt?.relevance).toBeLessThan(0.35);
});

test("a date of the question counts, by when the fact occurred", () => {
  const [memory] = memoriesOf([LONE]);
  const ask = (occurredAt: string) =>
    recall(
      { agentId: "a", query: "The flight on 7 May 2024?", now: NOW },
      [{ ...memory, occurredAt } as NonNullable<typeof memory>],
      policyFor(["travel"]),
    ).memories[0]?.relevance ?? 0;
  expect(ask("2024-05-07")).toBeGreaterThan(ask("2023-01-01"));
});

test("it is the same whatever other memories there are", () => {
  fc.assert(
    fc.property(facts, fc.array(facts, { maxLength: 20 }), texts, (fact, others, query) => {
      const policy = policyFor([fact, ...others].map(({ namespace }) => namespace));
      const relevanceAmong = (list: readonly (typeof fact)[]) =>
        recall(
          { agentId: "a", query, now: NOW, embed: embedLetters, limit: 64 },
          memoriesOf(list),
          policy,
        ).memories.find(({ memoryId }) => memoryId === "mem_0")?.relevance;
      const among = relevanceAmong([fact, ...others]);
      if (among !== undefined) expect(among).toBe(relevanceAmong([fact]));
    }),
    { numRuns: runs(400) },
  );
});

test("a threshold leaves out what is below it, except for pinned memories", () => {
  const list = [
    LONE,
    { ...LONE, content: "Severe peanut allergy.", pinned: true },
    { ...LONE, content: "Likes jazz." },
  ];
  const given = recall(
    { agentId: "a", query: "The flight to Lisbon at noon?", now: NOW, minRelevance: 0.3 },
    memoriesOf(list),
    policyFor(["travel"]),
  );
  expect(given.memories.map(({ content }) => content)).toEqual(["Severe peanut allergy.", LONE.content]);
});
