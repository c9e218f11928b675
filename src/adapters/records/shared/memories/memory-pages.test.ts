import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Candidates,
  candidatesIn,
  candidatesToRead,
  foldAscii,
  mergeCandidates,
  planMemoryPage,
  shareOf,
  toCandidates,
  toMemoryPage,
} from "./memory-pages.ts";

const rowsOf = (sequences: readonly number[], bytes = 1) => sequences.map((sequence) => ({ sequence, bytes }));
const sequencesOf = ({ rows }: Candidates) => rows.map(({ sequence }) => sequence);
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
        const merged = mergeCandidates(parts.map((part) => take(part, share)));
        expect(sequencesOf(merged)).toEqual(all.toSorted(descending).slice(0, merged.rows.length));
        const isCut = parts.some((part) => part.length > share);
        expect(merged.end).toBe(isCut ? merged.rows.at(-1)?.sequence : undefined);
        if (!isCut) expect(merged.rows).toHaveLength(all.length);
        else expect(merged.rows.length).toBeGreaterThanOrEqual(share);
      }),
    );
  });

  test("gives nothing, and the end, without lists", () => {
    expect(mergeCandidates([])).toEqual({ rows: [] });
  });
});

test("each of few lists gives its part of the candidates, and each of many still gives 64", () => {
  expect(shareOf(1_000, 4)).toBe(250);
  expect(shareOf(1_000, 50)).toBe(64);
  expect(shareOf(10, 50)).toBe(10);
});

test("very many namespaces are not read one by one: the newest memories of all are filtered, within the scan budget", () => {
  const namespaces = Array.from({ length: 65 }, (_, i) => `n${i}`);
  expect(planMemoryPage({ limit: 2, scan: 100, namespaces: namespaces.slice(1) })).toMatchObject({
    count: 2,
    readsAllNamespaces: false,
  });
  expect(planMemoryPage({ limit: 2, scan: 100, namespaces })).toMatchObject({ count: 100, readsAllNamespaces: true });
  const candidates = {
    rows: [
      { sequence: 9, bytes: 1, namespace: "n1" },
      { sequence: 8, bytes: 1, namespace: "m" },
    ],
    end: 8,
  };
  expect(candidatesIn(["n1"], candidates)).toEqual({ rows: [candidates.rows[0]], end: 8 });
});

test("only ASCII letters are folded", () => {
  expect(foldAscii("AZ az ÄÉ İ \u212a %_")).toBe("az az ÄÉ İ \u212a %_");
});

describe("a page", () => {
  const NOT_ENCRYPTED = { encryptionKeyId: null, wrappedKey: null };
  const ABSENT = { key: null, expiresAt: null, supersedes: null, occurredAt: null, metadata: null, ...NOT_ENCRYPTED };
  const memory = { memoryId: "m", storeRef: "r", namespace: "n", content: "c", sourceAgent: "s", createdAt: "" };
  const rows = (sequences: readonly number[]) =>
    sequences.map((sequence) => ({ ...memory, ...ABSENT, contentDigest: "d", factHash: "d", pinned: 0, sequence }));

  test("reads one candidate for each memory when an index answers the filter", () => {
    const plan = planMemoryPage({ limit: 2, scan: 100, namespaces: ["n"] });
    expect(plan).toMatchObject({ count: 2, needsRows: false });
    const read = candidatesToRead(plan, { rows: rowsOf([9, 8, 7]) });
    expect(read).toEqual({ rows: rowsOf([9, 8]), end: 8 });
    expect(toMemoryPage(plan, read, rows([9, 8])).next).toBe(8);
  });

  test("reads as many candidates as the scan budget allows when the rows decide", () => {
    for (const filter of [{ contains: "x" }, { namespaces: ["n"], sourceAgent: "s" }]) {
      expect(planMemoryPage({ limit: 2, scan: 100, ...filter })).toMatchObject({ count: 100, needsRows: true });
    }
  });

  test("reads no more than half a megabyte of text, but at least one memory", () => {
    const plan = planMemoryPage({ limit: 100, scan: 100, contains: "x" });
    const read = (bytes: number) => candidatesToRead(plan, { rows: rowsOf([9, 8, 7, 6, 5], bytes) });
    expect(read(1)).toEqual({ rows: rowsOf([9, 8, 7, 6, 5], 1) });
    expect(sequencesOf(read(200_000))).toEqual([9, 8]);
    expect(read(200_000).end).toBe(8);
    expect(sequencesOf(read(2_000_000))).toEqual([9]);
  });

  test("that is short because the scan budget ran out says where the next one begins", () => {
    const plan = planMemoryPage({ limit: 2, scan: 3, contains: "x" });
    expect(toMemoryPage(plan, { rows: rowsOf([9, 8, 7]), end: 7 }, [])).toEqual({ memories: [], next: 7 });
  });

  test("that is the last one names no next page", () => {
    const plan = planMemoryPage({ limit: 2, contains: "x" });
    const page = toMemoryPage(plan, { rows: rowsOf([9, 8]) }, rows([8]));
    expect(page).toEqual({ memories: [{ ...memory, contentDigest: "d" }] });
  });
});
