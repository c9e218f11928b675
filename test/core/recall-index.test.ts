import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pinnedFirst } from "#core/recall/pins.ts";
import { bestMemories } from "#core/recall/ranking.ts";
import { createRecallIndex } from "#core/recall/recall-index.ts";
import { facts, memoriesOf, namespaces, texts } from "#test/support/arbitraries.ts";

/** Captures, and forgettings and pins of memories captured earlier. */
const histories = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: facts.map((fact) => ({ kind: "captured" as const, ...fact })) },
    { weight: 1, arbitrary: fc.nat().map((which) => ({ kind: "forgotten" as const, which })) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("pinned" as const), which: fc.nat(), pinned: fc.boolean() }),
    },
  ),
  { maxLength: 40 },
);

describe("the recall index", () => {
  test("finds the same memories as the definition of the ranking, in the same order", () => {
    const limits = fc.integer({ min: 1, max: 15 });
    fc.assert(
      fc.property(histories, texts, fc.uniqueArray(namespaces), limits, (history, query, open, limit) => {
        const { index, live } = replay(history);
        const candidates = live.filter(({ namespace }) => open.includes(namespace));
        const pinned = candidates.filter((memory) => memory.pinned).reverse();
        const ranked = bestMemories(query, candidates, limit);
        const expected = pinnedFirst(pinned, ranked, limit).map(({ sequence }) => sequence);
        expect(index.search(query, open, limit)).toEqual(expected);
        expect(index.namespaces().sort()).toEqual([...new Set(live.map(({ namespace }) => namespace))].sort());
      }),
      { numRuns: 1_000 },
    );
  });

  test("searches only the namespaces that it is given", () => {
    const { index } = replay([{ kind: "captured", namespace: "health", content: "peanut" }]);
    expect(index.search("peanut", [], 12)).toEqual([]);
    expect(index.search("peanut", ["diet", "__proto__"], 12)).toEqual([]);
  });

  test("ignores a pin of a memory that it does not have, once the memory is forgotten", () => {
    const { index } = replay([{ kind: "captured", namespace: "health", content: "peanut" }]);
    index.apply({ kind: "pinned", sequence: 3, namespace: "health", captured: 2, pinned: true });
    index.apply({ kind: "forgotten", sequence: 4, namespace: "health", captured: 2 });
    index.apply({ kind: "pinned", sequence: 5, namespace: "diet", captured: 2, pinned: false });
    expect(index.search("peanut", ["health", "diet"], 12)).toEqual([1]);
    expect(index.namespaces()).toEqual(["health"]);
  });

  test("agrees with the definition on thousands of memories with long posting lists", () => {
    const captures = Array.from({ length: 9_000 }, (_, i) => ({
      kind: "captured" as const,
      namespace: i % 3 === 0 ? "diet" : "health",
      content: `the ${i % 7 === 0 ? "peanut" : "walnut"} of day ${i % 50}`,
    }));
    const { index, live } = replay(captures);
    const expected = bestMemories("the peanut of day 49", live, 12).map(({ sequence }) => sequence);
    expect(index.search("the peanut of day 49", ["diet", "health"], 12)).toEqual(expected);
  });
});

type Step =
  | { kind: "captured"; namespace: string; content: string }
  | { kind: "forgotten"; which: number }
  | { kind: "pinned"; which: number; pinned: boolean };

function replay(history: readonly Step[]) {
  const index = createRecallIndex();
  let live: { sequence: number; namespace: string; content: string; pinned: boolean }[] = [];
  history.forEach((step, i) => {
    const sequence = i + 1;
    if (step.kind === "captured") {
      const [memory] = memoriesOf([step]);
      live.push({ sequence, namespace: step.namespace, content: memory?.content ?? "", pinned: false });
      index.apply({ ...step, sequence });
      return;
    }
    const chosen = live[step.which % Math.max(live.length, 1)];
    if (chosen === undefined) return;
    const { namespace, sequence: captured } = chosen;
    if (step.kind === "forgotten") {
      live = live.filter((memory) => memory !== chosen);
      index.apply({ kind: "forgotten", sequence, namespace, captured });
      return;
    }
    chosen.pinned = step.pinned;
    index.apply({ kind: "pinned", sequence, namespace, captured, pinned: step.pinned });
  });
  return { index, live };
}
