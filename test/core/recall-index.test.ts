import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maxPinned } from "#core/recall/pins.ts";
import { readQuestion } from "#core/recall/question.ts";
import { rankMemories, selectMemories } from "#core/recall/ranking.ts";
import { embedLetters, namespaces, texts } from "#test/support/arbitraries.ts";
import { completed, histories, replay } from "#test/support/recall-history.ts";

const NOW = new Date("2026-05-10T08:00:00Z");
const read = (query: string) => readQuestion(query, NOW, embedLetters);

describe("the recall index", () => {
  test.each([
    ["by a scan", {}],
    ["by postings", { maxScanned: 0 }],
  ])("ranks %s as the definition does: the same memories, order, scores and reasons", (_, options) => {
    const limits = fc.integer({ min: 1, max: 15 });
    fc.assert(
      fc.property(histories, texts, fc.uniqueArray(namespaces), limits, (history, query, open, limit) => {
        const { index, live } = replay(history, options);
        const allowed = live.filter(({ namespace }) => open.includes(namespace));
        const question = read(query);
        expect(completed(index.rank(question, open))).toEqual(rankMemories(question, allowed, embedLetters));
        expect(completed(index.search(question, open, limit))).toEqual(
          selectMemories(question, allowed, embedLetters, limit),
        );
        const pinned = allowed.flatMap((memory) => (memory.pinned ? memory.sequence : [])).reverse();
        expect(index.pinned(open, limit)).toEqual(pinned.slice(0, maxPinned(limit)));
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

  test("forgets the pin with the memory, also of a memory that it never had", () => {
    const { index } = replay([{ kind: "captured", namespace: "health", content: "peanut" }]);
    index.apply({ kind: "pinned", sequence: 3, namespace: "health", captured: 2, pinned: true });
    index.apply({ kind: "forgotten", sequence: 4, namespace: "health", captured: 2 });
    index.apply({ kind: "pinned", sequence: 5, namespace: "diet", captured: 2, pinned: false });
    expect(index.pinned(["health", "diet"], 12)).toEqual([]);
    expect(index.namespaces()).toEqual(["health"]);
  });

  test("does not let the words of forgotten memories take the places of similar words", () => {
    const forgotten = ["marzipanop", "marzipanob", "marzipanok", "marzipanox"];
    const { index, live } = replay([
      ...[...forgotten, "marzipun", "tea"].map((content) => ({
        kind: "captured" as const,
        namespace: "diet",
        content,
      })),
      ...forgotten.map(() => ({ kind: "forgotten" as const, which: 0 })),
    ]);
    const question = read("marzipano");
    const ranked = completed(index.rank(question, ["diet"]));
    expect(ranked).toEqual(rankMemories(question, live, embedLetters));
    expect(ranked[0]?.terms.map(({ term }) => term)).toEqual(["marzipun"]);
  });

  test("agrees with the definition on thousands of memories with long posting lists", () => {
    const { index, live } = replay(manyCaptures(4_000));
    const question = read("the peanut of day 49");
    const expected = rankMemories(question, live, embedLetters);
    expect(completed(index.rank(question, ["diet", "health"]))).toEqual(expected);
  });

  test("agrees with the definition on many copies of one text, of which the newest win", () => {
    const { index, live } = replay(
      Array.from({ length: 1_500 }, (_, i) => ({
        kind: "captured" as const,
        namespace: i % 2 === 0 ? "diet" : "health",
        content: i % 5 === 0 ? "the walnut of the day" : "the peanut of the day",
      })),
    );
    const question = read("which peanut of the day was it");
    expect(completed(index.rank(question, ["health", "diet"]))).toEqual(rankMemories(question, live, embedLetters));
  });

  test("agrees with the definition in a namespace of several blocks", () => {
    const history = Array.from({ length: 9_000 }, (_, i) => ({ ...captured(i + 1), namespace: "diet" }));
    const { index, live } = replay(history);
    const question = read("the peanut of day 49");
    const expected = rankMemories(question, live, embedLetters);
    expect(completed(index.rank(question, ["diet"]))).toEqual(expected);
  });

  test("does not see what is added while a search pauses, and leaves out what is forgotten meanwhile", () => {
    const { index } = replay(manyCaptures(2_000));
    const question = read("the peanut of day 49");
    const search = index.rank(question, ["diet", "health"]);
    const undisturbed = completed(index.rank(question, ["diet", "health"]));
    expect(search.next().done).toBe(false);
    index.apply({ ...captured(3_000), content: "the peanut of day 49" });
    expect(completed(search)).toEqual(undisturbed);

    const later = index.rank(question, ["diet", "health"]);
    expect(later.next().done).toBe(false);
    index.apply({ kind: "forgotten", sequence: 3_001, namespace: captured(3_000).namespace, captured: 3_000 });
    expect(completed(later).map(({ sequence }) => sequence)).not.toContain(3_000);
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
