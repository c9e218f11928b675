import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Candidates,
  mergeCandidates,
  planMemoryPage,
  sequencesToRead,
  shareOf,
  toCandidates,
  toMemoryPage,
} from "./memory-pages.ts";

const rowsOf = (sequences: readonly number[]) => sequences.map((sequence) => ({ sequence }));
const descending = (a: number, b: number) => b - a;

/** What an index gives of a list: the newest `share`, found by reading one more. */
const take = (list: readonly number[], share: number): Candidates =>
  toCandidates(rowsOf(list.toSorted(descending).slice(0, share + 1)), share);

describe("merging candidates", () => {
  test("gives a prefix of all candidates, newest first, whatever the lists and wherever they are cut off", () => {
    const sequences = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 40 });
    const lists = fc.integer({ min: 1, max: 4 });
    fc.assert(
      fc.property(sequences, lists, fc.integer({ min: 1, max: 12 }), (all, count, share) => {
        const parts = Array.from({ length: count }, (_, i) => all.filter((n) => n % count === i));
        const { sequences: merged, hasMore } = mergeCandidates(parts.map((part) => take(part, share)));
        expect(merged).toEqual(all.toSorted(descending).slice(0, merged.length));
        expect(hasMore).toBe(parts.some((part) => part.length > share));
        if (!hasMore) expect(merged).toHaveLength(all.length);
        else expect(merged.length).toBeGreaterThanOrEqual(share);
      }),
    );
  });

  test("gives nothing, and the end, without lists", () => {
    expect(mergeCandidates([])).toEqual({ sequences: [], hasMore: false });
  });
});

test("each of few lists gives its part of the candidates, and each of many still gives 64", () => {
  expect(shareOf(1_000, 4)).toBe(250);
  expect(shareOf(1_000, 500)).toBe(64);
  expect(shareOf(10, 500)).toBe(10);
});

describe("a page", () => {
  const memory = { memoryId: "m", storeRef: "r", namespace: "n", content: "c", sourceAgent: "s", createdAt: "" };
  const rows = (sequences: readonly number[]) =>
    sequences.map((sequence) => ({ ...memory, contentDigest: "d", pinned: 0, sequence }));

  test("reads one candidate for each memory when an index answers the filter", () => {
    const plan = planMemoryPage({ limit: 2, scan: 100, namespaces: ["n"] });
    const candidates = { sequences: [9, 8, 7], hasMore: false };
    expect(plan).toMatchObject({ count: 2, needsRows: false });
    expect(sequencesToRead(plan, candidates)).toEqual([9, 8]);
    expect(toMemoryPage(plan, candidates, [9, 8], rows([9, 8])).next).toBe(8);
  });

  test("reads as many candidates as the scan budget allows when the rows decide", () => {
    for (const filter of [{ contains: "x" }, { namespaces: ["n"], sourceAgent: "s" }]) {
      expect(planMemoryPage({ limit: 2, scan: 100, ...filter })).toMatchObject({ count: 100, needsRows: true });
    }
  });

  test("that is short because the scan budget ran out says where the next one begins", () => {
    const plan = planMemoryPage({ limit: 2, scan: 3, contains: "x" });
    expect(toMemoryPage(plan, { sequences: [9, 8, 7], hasMore: true }, [9, 8, 7], [])).toEqual({
      memories: [],
      next: 7,
    });
  });

  test("that is the last one names no next page", () => {
    const plan = planMemoryPage({ limit: 2, contains: "x" });
    const page = toMemoryPage(plan, { sequences: [9, 8], hasMore: false }, [9, 8], rows([8]));
    expect(page).toEqual({ memories: [{ ...memory, contentDigest: "d" }] });
  });
});
