import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { completed } from "#core/gate/gate.ts";
import { maxPinned } from "#core/recall/pins.ts";
import { readQuestion } from "#core/recall/question.ts";
import { createRecallIndex } from "#core/recall/recall-index.ts";
import { embedLetters, namespaces, texts } from "#test/support/arbitraries.ts";
import { changesOf, histories, replay } from "#test/support/recall-history.ts";
import { rankMemories, selectMemories } from "#test/support/reference-ranking.ts";
import { runs } from "#test/support/runs.ts";

const NOW = new Date("2026-05-10T08:00:00Z");
const read = (query: string) => readQuestion(query, NOW, embedLetters);

/** So small that most histories are beyond them. */
const FEW = { ofMemory: 4, ofNamespace: 6 };

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
      { numRuns: runs(1_000) },
    );
  });

  test("knows no more terms of a memory and of a namespace than the definition does", () => {
    const captures = histories.map((steps) => steps.filter(({ kind }) => kind !== "forgotten"));
    fc.assert(
      fc.property(captures, texts, fc.uniqueArray(namespaces), (history, query, open) => {
        const { index, live } = replay(history, { bounds: FEW });
        const allowed = live.filter(({ namespace }) => open.includes(namespace));
        const question = read(query);
        const expected = rankMemories(question, allowed, embedLetters, FEW);
        expect(completed(index.rank(question, open))).toEqual(expected);
      }),
      { numRuns: runs(300) },
    );
  });

  test("leaves out and counts what is beyond the bounds, in its own namespace alone", () => {
    const { index } = replay(
      [
        { kind: "captured", namespace: "diet", content: "one two three four five six seven" },
        { kind: "captured", namespace: "diet", content: "eight nine ten eleven" },
        { kind: "captured", namespace: "health", content: "eleven twelve" },
      ],
      { bounds: FEW },
    );
    const found = (query: string) => {
      const ranked = completed(index.rank(read(query), ["diet", "health"]));
      return ranked.filter(({ terms }) => terms.length > 0).map(({ sequence }) => sequence);
    };
    // The name of the namespace is a term, too.
    expect(["three", "four", "eight", "nine", "ten", "eleven", "twelve"].map(found)).toEqual([
      [1],
      [],
      [2],
      [2],
      [],
      [3],
      [3],
    ]);
    // The memory that was left without "ten" was not read any further.
    expect(index.leftOutTerms("diet")).toBe(1);
  });

  test("takes the longest memory with terms that no other has, as often as it comes", () => {
    const index = createRecallIndex();
    for (let i = 1; i <= 30; i++) {
      const content = Array.from({ length: 1_300 }, (_, word) => `w${i}x${word}`).join(" ");
      index.apply({ kind: "captured", sequence: i, namespace: "n", content, createdAt: "2026-05-01T00:00:00.000Z" });
    }
    const [bytes] = index.snapshot("n", 30, "") ?? [];
    const header = JSON.parse(
      Buffer.from(bytes ?? [])
        .subarray(12)
        .toString(),
    );
    expect(header).toMatchObject({ memories: 30, terms: 30 * 511 + 1, entries: 30 * 512 });
  });

  test("pauses while it compares spellings in a namespace with thousands of similar ones", () => {
    const letters = "abcdefghijklmnopqrstuvwxyz";
    const variants = Array.from({ length: 12_000 }, (_, i) => {
      const ending = [26 ** 2, 26, 1].map((unit) => letters[Math.floor(i / unit) % 26]);
      return `marzipan${ending.join("")}`;
    });
    const contents = Array.from({ length: 24 }, (_, i) => variants.slice(i * 500, (i + 1) * 500).join(" "));
    const { index } = replay(contents.map((content) => ({ kind: "captured" as const, namespace: "diet", content })));
    const question = read("marzipanqqq marzipanvvv marzipanxyz marzipan");
    const search = index.rank(question, ["diet"]);
    let slices = 0;
    let step = search.next();
    for (; step.done !== true; step = search.next()) slices += 1;
    expect(slices).toBeGreaterThan(0);
    expect(step.value[0]?.terms.map(({ term }) => term)).toContain("marzipanqqq");
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

  describe("after a compaction", () => {
    const forgetful = fc
      .tuple(histories, fc.array(fc.nat(), { maxLength: 30 }))
      .map(([history, forgotten]) => [
        ...history,
        ...forgotten.map((which) => ({ kind: "forgotten" as const, which })),
      ]);

    test("ranks as the definition does", () => {
      fc.assert(
        fc.property(forgetful, forgetful, texts, fc.uniqueArray(namespaces), (before, later, query, open) => {
          const index = createRecallIndex({ embed: embedLetters, compactsSmall: true });
          const { changes, live } = changesOf([...before, ...later]);
          const pending = changes.values();
          const half = changesOf(before).changes.length;
          for (const change of pending.take(half)) index.apply(change);
          completed(index.compact());
          for (const change of pending) {
            index.apply(change);
            if (change.sequence % 5 === 0) completed(index.compact());
          }
          const allowed = live.filter(({ namespace }) => open.includes(namespace));
          const question = read(query);
          const expected = rankMemories(question, allowed, embedLetters);
          expect(completed(index.rank(question, open))).toEqual(expected);
          completed(index.compact());
          expect(index.isSparse()).toBe(false);
          expect(completed(index.rank(question, open))).toEqual(expected);
          expect(completed(index.search(question, open, 12))).toEqual(
            selectMemories(question, allowed, embedLetters, 12),
          );
          expect(index.size().memories).toBe(live.length);
        }),
        { numRuns: runs(150) },
      );
    });

    test("has what changed while it paused, and a search that was under way goes on", () => {
      const { index, live } = replay(manyCaptures(4_000));
      const question = read("the peanut of day 49");
      const open = ["diet", "health"];
      const forget = (captured: number, at: number) =>
        index.apply({ kind: "forgotten", sequence: at, namespace: nameOf(captured), captured });
      for (const { sequence } of live) if (sequence % 10 > 3) forget(sequence, 5_000 + sequence);
      expect(index.isSparse()).toBe(true);
      const search = index.rank(question, open);
      expect(search.next().done).toBe(false);
      const undisturbed = completed(index.rank(question, open));
      const compaction = index.compact();
      let pauses = 0;
      for (; compaction.next().done !== true; pauses++) {
        forget(pauses * 10 + 3, 10_000 + pauses);
        index.apply(captured(20_000 + pauses));
      }
      expect(pauses).toBeGreaterThan(3);
      expect(completed(search)).toEqual(undisturbed);
      const during = Array.from({ length: pauses }, (_, i) => i);
      const gone = during.map((i) => i * 10 + 3);
      const left = live.filter(({ sequence }) => sequence % 10 <= 3 && !gone.includes(sequence));
      const expected = [...left, ...during.map((i) => captured(20_000 + i))];
      expect(completed(index.rank(question, open))).toEqual(rankMemories(question, expected, embedLetters));
    });
  });
});

const nameOf = (sequence: number) => (sequence % 3 === 1 ? "diet" : "health");
const captured = (sequence: number) => ({
  kind: "captured" as const,
  sequence,
  namespace: nameOf(sequence),
  content: `the ${sequence % 7 === 1 ? "peanut" : "walnut"} of day ${sequence % 50}`,
  createdAt: "2026-05-01T00:00:00.000Z",
});
const manyCaptures = (count: number) => Array.from({ length: count }, (_, i) => captured(i + 1));
