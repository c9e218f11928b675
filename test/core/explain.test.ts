import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { explainFrom } from "#core/gate/explain.ts";
import { completed, divide, RECALL_LIMIT, recall, searchAmong } from "#core/gate/gate.ts";
import { isAllowed, isRevoked, type Policy, policyFrom } from "#core/gate/policy.ts";
import type { Memory } from "#core/memory.ts";
import { readQuestion } from "#core/recall/question.ts";
import { agentIds, embedLetters, memoriesOf, pinnableFacts, policies, texts } from "#test/support/arbitraries.ts";

const stores = fc.array(pinnableFacts, { maxLength: 25 }).map(memoriesOf);
const limits = fc.integer({ min: 1, max: 14 });
const now = new Date("2026-05-10T08:00:00Z");

interface Asked {
  readonly agentId?: string;
  readonly query: string;
  readonly limit?: number;
  readonly wanted?: Memory | undefined;
  readonly history?: readonly Memory[];
  readonly embed?: typeof embedLetters | (() => undefined);
}

function explain(
  { agentId = "a", query, limit = RECALL_LIMIT, wanted, history = [], embed = () => undefined }: Asked,
  memories: readonly Memory[],
  policy: Policy,
) {
  const search = completed(searchAmong(memories, embed));
  const division = divide(agentId, new Set(memories.map(({ namespace }) => namespace)), policy);
  const asked = { agentId, question: readQuestion(query, now, embed), limit, embed };
  const withHistory = {
    ...search,
    *history() {
      yield;
      return history;
    },
  };
  return completed(explainFrom(withHistory, asked, policy, division, wanted));
}

describe("An explanation", () => {
  test("gives exactly what a recall gives, in its order and for its reasons", () => {
    fc.assert(
      fc.property(
        agentIds,
        texts,
        stores,
        policies,
        limits,
        fc.nat(24),
        (agentId, query, memories, policy, limit, i) => {
          const asked = { agentId, query, limit, embed: embedLetters };
          const explained = explain({ ...asked, wanted: memories[i] }, memories, policy);
          const given = explained.filter(({ fate }) => fate === "given");
          const recalled = recall({ ...asked, now }, memories, policy).memories;
          expect(given.map(({ memory, relevance, why, rank }) => [memory.memoryId, relevance, why, rank])).toEqual(
            recalled.map(({ memoryId, relevance, why }, at) => [memoryId, relevance, why, at + 1]),
          );
        },
      ),
    );
  });

  test("names each memory once, the wanted one in any case, and holds back what is closed and nothing else", () => {
    fc.assert(
      fc.property(
        agentIds,
        texts,
        stores,
        policies,
        limits,
        fc.nat(24),
        (agentId, query, memories, policy, limit, i) => {
          const wanted = memories[i];
          const explained = explain({ agentId, query, limit, wanted, embed: embedLetters }, memories, policy);
          const ids = explained.map(({ memory }) => memory.memoryId);
          expect(new Set(ids).size).toBe(ids.length);
          if (wanted !== undefined) expect(ids).toContain(wanted.memoryId);
          for (const { memory, fate, gate } of explained) {
            expect(fate === "held-back").toBe(!isAllowed(policy, agentId, memory.namespace));
            const closed = isRevoked(policy, agentId, memory.namespace) ? "revoked" : "blocked";
            expect(gate).toBe(fate === "held-back" ? closed : undefined);
          }
        },
      ),
    );
  });

  const open = policyFrom([
    { agentId: "a", namespace: "n", allowed: true },
    { agentId: "a", namespace: "closed", allowed: false },
  ]);
  const fatesOf = (explained: ReturnType<typeof explain>) =>
    explained.map(({ memory, fate, rank, gate }) => [memory.content, fate, rank ?? gate]);

  test("says which gate holds a memory back, and what comes after the last place", () => {
    const memories = memoriesOf([
      { namespace: "n", content: "peanut dish one" },
      { namespace: "closed", content: "peanut allergy" },
      { namespace: "never", content: "peanut butter" },
      { namespace: "n", content: "peanut dish two" },
      { namespace: "n", content: "a red bicycle" },
    ]);
    expect(fatesOf(explain({ query: "Which peanuts?", limit: 1 }, memories, open))).toEqual([
      ["peanut dish two", "given", 1],
      ["peanut dish one", "below-limit", 2],
      ["peanut butter", "held-back", "blocked"],
    ]);
    const [, , , wanted] = explain({ query: "Which peanuts?", limit: 1, wanted: memories[1] }, memories, open);
    expect(wanted).toMatchObject({ memory: memories[1], fate: "held-back", gate: "revoked" });
  });

  test("weighs a rare term more than a common one, over what the agent may use", () => {
    const contents = ["tea with lemon", "tea with milk", "tea alone", "bread"];
    const memories = memoriesOf(contents.map((content) => ({ namespace: "n", content })));
    const [first] = explain({ query: "tea lemon" }, memories, open);
    expect(first).toMatchObject({ memory: { content: "tea with lemon" }, why: { terms: ["tea", "lemon"] } });
    const [tea, lemon] = first?.terms ?? [];
    expect(lemon?.weight).toBeGreaterThan(tea?.weight ?? Number.POSITIVE_INFINITY);
    expect(tea?.weight).toBeGreaterThan(0);
  });

  test("tells a near-duplicate, a superseded memory and one that does not bear on the question", () => {
    const contents = [
      "No peanuts for me.",
      "no peanuts, for me!",
      ...Array.from({ length: 5 }, (_, i) => `peanut dish number ${i}`),
    ];
    const facts = [{ namespace: "n", content: "rain" }, ...contents.map((content) => ({ namespace: "n", content }))];
    const memories = memoriesOf(facts);
    const [former] = memoriesOf([{ namespace: "n", content: "Loves peanuts." }]) as [Memory];
    const history = [{ ...former, memoryId: "mem_former", supersededBy: "mem_1" }];
    const explained = explain({ query: "peanuts", history, wanted: memories[0] }, memories, open);
    expect(fatesOf(explained).slice(-3)).toEqual([
      ["No peanuts for me.", "near-duplicate", undefined],
      ["Loves peanuts.", "superseded", undefined],
      ["rain", "not-relevant", 8],
    ]);
    expect(explain({ query: "tea", wanted: history[0] }, memories, open).at(-1)?.fate).toBe("superseded");
  });
});
