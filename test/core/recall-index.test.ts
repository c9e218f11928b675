import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readQuestion } from "#core/recall/question.ts";
import { rankMemories, selectMemories } from "#core/recall/ranking.ts";
import { createRecallIndex } from "#core/recall/recall-index.ts";
import { embedLetters, facts, namespaces, texts } from "#test/support/arbitraries.ts";

/** Captures, and forgettings of memories captured earlier. */
const histories = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: facts.map((fact) => ({ kind: "captured" as const, ...fact })) },
    { weight: 1, arbitrary: fc.nat().map((which) => ({ kind: "forgotten" as const, which })) },
  ),
  { maxLength: 40 },
);

const NOW = new Date("2026-05-10T08:00:00Z");
const read = (query: string) => readQuestion(query, NOW, embedLetters);

function completed<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

describe("the recall index", () => {
  test("ranks as the definition does: the same memories, order, scores and reasons", () => {
    const limits = fc.integer({ min: 1, max: 15 });
    fc.assert(
      fc.property(histories, texts, fc.uniqueArray(namespaces), limits, (history, query, open, limit) => {
        const { index, live } = replay(history);
        const allowed = live.filter(({ namespace }) => open.includes(namespace));
        const question = read(query);
        expect(completed(index.rank(question, open))).toEqual(rankMemories(question, allowed, embedLetters));
        expect(completed(index.search(question, open, limit))).toEqual(
          selectMemories(question, allowed, embedLetters, limit),
        );
        expect(index.namespaces().sort()).toEqual([...new Set(live.map(({ namespace }) => namespace))].sort());
      }),
      { numRuns: 1_000 },
    );
  });

  test("searches only the namespaces that it is given", () => {
    const { index } = replay([{ kind: "captured", namespace: "health", content: "peanut" }]);
    expect(completed(index.search(read("peanut"), [], 12))).toEqual([]);
    expect(completed(index.search(read("peanut"), ["diet", "__proto__"], 12))).toEqual([]);
  });

  test("agrees with the definition on thousands of memories with long posting lists", () => {
    const { index, live } = replay(manyCaptures(4_000));
    const question = read("the peanut of day 49");
    const expected = rankMemories(question, live, embedLetters);
    expect(completed(index.rank(question, ["diet", "health"]))).toEqual(expected);
  });

  test("does not see what is added while a search pauses, and leaves out what is forgotten meanwhile", () => {
    const { index } = replay(manyCaptures(2_000));
    const question = read("the peanut of day 49");
    const search = index.rank(question, ["diet", "health"]);
    const undisturbed = completed(index.rank(question, ["diet", "health"]));
    const step = search.next();
    index.apply({ ...captured(3_000), content: "the peanut of day 49" });
    const ranked = step.done === true ? step.value : completed(search);
    expect(ranked).toEqual(undisturbed);
  });
});

const captured = (sequence: number) => ({
  kind: "captured" as const,
  sequence,
  namespace: sequence % 3 === 1 ? "diet" : "health",
  content: `the ${sequence % 7 === 1 ? "peanut" : "walnut"} of day ${sequence % 50}`,
  createdAt: "2026-05-01T00:00:00.000Z",
});
const manyCaptures = (count: number) => Array.from({ length: count }, (_, i) => captured(i + 1));

type Step = { kind: "captured"; namespace: string; content: string } | { kind: "forgotten"; which: number };

function replay(history: readonly Step[]) {
  const index = createRecallIndex({ embed: embedLetters });
  let live: { sequence: number; namespace: string; content: string; createdAt: string }[] = [];
  history.forEach((step, i) => {
    const sequence = i + 1;
    if (step.kind === "captured") {
      const createdAt = new Date(Date.UTC(2026, 4, 1 + (i % 40))).toISOString();
      live.push({ sequence, namespace: step.namespace, content: step.content, createdAt });
      index.apply({ kind: "captured", namespace: step.namespace, content: step.content, sequence, createdAt });
      return;
    }
    const gone = live[step.which % Math.max(live.length, 1)];
    if (gone === undefined) return;
    live = live.filter((memory) => memory !== gone);
    index.apply({ kind: "forgotten", sequence, namespace: gone.namespace, captured: gone.sequence });
  });
  return { index, live };
}
