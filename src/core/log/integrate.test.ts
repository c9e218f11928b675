import fc from "fast-check";
import { expect, test } from "vitest";
import { toHex } from "#core/encoding/digest.ts";
import { completed } from "#core/gate/gate.ts";
import { bodyOf, entriesIn, entryOf, type NewEntry, saltOf } from "./entry.ts";
import { type Chain, type GrowingTree, integrate, type StoredTile, type WaitingBatch } from "./integrate.ts";
import { EMPTY_ROOT, leafHash, nodeHash } from "./merkle-tree.ts";
import { hashesOf } from "./tiles.ts";

/** The recursion of RFC 6962, 2.1. */
function definedRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length < 2) return leaves[0] ?? EMPTY_ROOT;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return nodeHash(definedRoot(leaves.slice(0, k)), definedRoot(leaves.slice(k)));
}

const KEY = "07".repeat(32);
const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 12 });
/** As many entries, of which the last one has this number. */
const waiting = (last: number, count = 1, fields: Partial<WaitingBatch> = {}): WaitingBatch => ({
  tenant: 1,
  last,
  at: "2026-01-02T03:04:05.678Z",
  inForce: 7,
  entries: JSON.stringify(Array(count).fill({ kind: "reset" })),
  ...fields,
});

test("a tree that grows in batches and steps of any size, kept or read again, has the roots and tiles of the tree that is made at once", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(sizes, fc.boolean()), { maxLength: 5 }), (steps) => {
      const tiles = new Map<string, StoredTile>();
      let state = { size: 0, root: toHex(EMPTY_ROOT) };
      let chains: readonly Chain[] = [];
      let tree: GrowingTree | undefined;
      let last = 0;
      for (const [step, isKept] of steps) {
        const batches = step.map((count) => {
          last += count;
          return waiting(last, count);
        });
        const edge = [...tiles.values()].filter(
          ({ level, number }) => number === Math.floor(state.size / 256 ** (level + 1)),
        );
        const before = { size: state.size, edge, chains, tree: isKept ? tree : undefined };
        const grown = completed(integrate(before, batches, () => KEY));
        for (const tile of grown.tiles) tiles.set(`${tile.level}/${tile.number}`, tile);
        ({ chains, tree } = grown);
        state = { size: grown.size, root: grown.root };
        expect(grown.placed.map(({ treeIndex }) => treeIndex)).toEqual(
          batches.map((batch, i) => batch.last - (step[i] ?? 0)),
        );
      }
      const key = Buffer.from(KEY, "hex");
      const recorded = Array.from({ length: last }, (_, i) => entriesIn(waiting(i + 1))).flat();
      const entries = recorded.map((entry) => entryOf(saltOf(key, entry.number), bodyOf(key, entry)));
      expect(state).toEqual({ size: last, root: toHex(definedRoot(entries.map(leafHash))) });
      const stored = [...tiles.values()].filter(({ level }) => level === 0).toSorted((a, b) => a.number - b.number);
      expect(stored.flatMap(({ hashes }) => hashesOf(hashes).map(toHex))).toEqual(entries.map(toHex));
      for (const { level, number, hashes } of tiles.values())
        for (const [i, hash] of (level === 0 ? [] : hashesOf(hashes)).entries()) {
          const [first, count] = [(number * 256 + i) * 256 ** level, 256 ** level];
          expect(toHex(hash)).toBe(toHex(definedRoot(entries.slice(first, first + count).map(leafHash))));
        }
    }),
    { numRuns: 8 },
  );
});

test("a full tile goes into the level above, and that one into the next", () => {
  const hashes = Uint8Array.from({ length: 255 * 32 }, (_, i) => i % 251);
  const edge = [0, 1].map((level) => ({ level, number: level === 0 ? 255 : 0, hashes }));
  const { size, root, tiles } = completed(integrate({ size: 65_535, edge, chains: [] }, [waiting(1)], () => KEY));
  expect(size).toBe(65_536);
  const at = (level: number) => hashesOf(tiles.find((tile) => tile.level === level)?.hashes ?? new Uint8Array());
  expect(tiles.map(({ level, number }) => [level, number])).toEqual([
    [0, 255],
    [1, 0],
    [2, 0],
  ]);
  expect([0, 1, 2].map((level) => at(level).length)).toEqual([256, 256, 1]);
  expect(toHex(at(1)[255] as Uint8Array)).toBe(toHex(definedRoot(at(0).map(leafHash))));
  expect(root).toBe(toHex(definedRoot(at(1))));
  expect(toHex(at(2)[0] as Uint8Array)).toBe(root);
});

test("a batch whose predecessor is missing waits, and times never go back", () => {
  const edge = [{ level: 0, number: 0, hashes: new Uint8Array(5 * 32) }];
  const earlier = { at: "2026-01-02T03:04:05.000Z" };
  const entries = [waiting(2, 2), waiting(4), waiting(1, 1, { tenant: 2 }), waiting(3, 1, earlier), waiting(5, 3)];
  const { placed, chains } = completed(integrate({ size: 5, edge, chains: [] }, entries, () => KEY));
  expect(placed.map(({ tenant, last, treeIndex }) => [tenant, last, treeIndex])).toEqual([
    [1, 2, 5],
    [2, 1, 7],
    [1, 3, 8],
  ]);
  expect(placed.map(({ at }) => at)).toEqual(Array(3).fill("2026-01-02T03:04:05.678Z"));
  expect(chains.map(({ tenant, number }) => [tenant, number])).toEqual([
    [1, 3],
    [2, 1],
  ]);
});

test("entries of a batch have numbers up to its last, its time, and those that open an answer its policy version", () => {
  const given: NewEntry[] = [
    { kind: "opened", about: "ans_1", details: { policyVersion: 6 } },
    { kind: "issued", about: "ans_1" },
  ];
  const { at, ...batch } = waiting(9, 0, { entries: JSON.stringify(given) });
  expect(entriesIn({ ...batch, at })).toEqual([
    { ...given[0], number: 8, at, inForce: 7 },
    { ...given[1], number: 9, at },
  ]);
  expect(entriesIn({ ...batch, at, inForce: null })[0]?.inForce).toBeUndefined();
});

test("no body shows the id of an answer, a memory or a key", () => {
  const key = Buffer.from(KEY, "hex");
  const kinds = [
    "opened",
    "issued",
    "broken-off",
    "captured",
    "superseded",
    "forgotten",
    "expired",
    "api-key",
  ] as const;
  const body = (entry: NewEntry) => bodyOf(key, { ...entry, number: 1, at: "2026-01-02T03:04:05.678Z" });
  for (const kind of kinds) expect(body({ kind, about: "ans_secret" })).not.toContain("secret");
  const slots = (["opened", "issued"] as const).map((kind) => JSON.parse(body({ kind, about: "a" })).slot);
  expect(slots[0]).toBe(slots[1]);
});
