import fc from "fast-check";
import { expect, test } from "vitest";
import { toHex } from "#core/encoding/digest.ts";
import { completed } from "#core/gate/gate.ts";
import { bodyOf, entryOf, saltOf } from "./entry.ts";
import { type Chain, type GrowingTree, integrate, type StoredTile, type WaitingEntry } from "./integrate.ts";
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
const waiting = (number: number, fields: Partial<WaitingEntry> = {}): WaitingEntry => ({
  tenant: 1,
  number,
  at: "2026-01-02T03:04:05.678Z",
  kind: "reset",
  about: null,
  details: null,
  inForce: null,
  ...fields,
});

test("a tree that grows in any steps, kept or read again, has the roots and tiles of the tree that is made at once", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 300 }), fc.boolean()), { maxLength: 5 }), (steps) => {
      const tiles = new Map<string, StoredTile>();
      let state = { size: 0, root: toHex(EMPTY_ROOT) };
      let chains: readonly Chain[] = [];
      let tree: GrowingTree | undefined;
      let last = 0;
      for (const [step, isKept] of steps) {
        const entries = Array.from({ length: step }, (_, i) => waiting(last + i + 1));
        const edge = [...tiles.values()].filter(
          ({ level, number }) => number === Math.floor(state.size / 256 ** (level + 1)),
        );
        const before = { size: state.size, edge, chains, tree: isKept ? tree : undefined };
        const grown = completed(integrate(before, entries, () => KEY));
        for (const tile of grown.tiles) tiles.set(`${tile.level}/${tile.number}`, tile);
        ({ chains, tree } = grown);
        state = { size: grown.size, root: grown.root };
        last += step;
      }
      const key = Buffer.from(KEY, "hex");
      const entries = Array.from({ length: last }, (_, i) => entryOf(saltOf(key, i + 1), bodyOf(key, waiting(i + 1))));
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

test("an entry whose predecessor is missing waits, and times never go back", () => {
  const edge = [{ level: 0, number: 0, hashes: new Uint8Array(5 * 32) }];
  const entries = [waiting(1), waiting(3), waiting(1, { tenant: 2 }), waiting(2, { at: "2026-01-02T03:04:05.000Z" })];
  const { placed, chains } = completed(integrate({ size: 5, edge, chains: [] }, entries, () => KEY));
  expect(placed.map(({ tenant, number, treeIndex }) => [tenant, number, treeIndex])).toEqual([
    [1, 1, 5],
    [2, 1, 6],
    [1, 2, 7],
  ]);
  expect(placed.map(({ at }) => at)).toEqual(Array(3).fill("2026-01-02T03:04:05.678Z"));
  expect(chains.map(({ tenant, number }) => [tenant, number])).toEqual([
    [1, 2],
    [2, 1],
  ]);
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
  for (const kind of kinds) expect(bodyOf(key, waiting(1, { kind, about: "ans_secret" }))).not.toContain("secret");
  const slots = (["opened", "issued"] as const).map(
    (kind) => JSON.parse(bodyOf(key, waiting(1, { kind, about: "a" }))).slot,
  );
  expect(slots[0]).toBe(slots[1]);
});
