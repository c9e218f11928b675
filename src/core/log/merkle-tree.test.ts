import fc from "fast-check";
import { expect, test } from "vitest";
import { toHex } from "#core/encoding/digest.ts";
import { fromBase64, toBase64 } from "./base64.ts";
import {
  consistencyProof,
  EMPTY_ROOT,
  inclusionProof,
  isConsistent,
  isIncluded,
  leafHash,
  nodeHash,
  type ReadNode,
  rootOf,
} from "./merkle-tree.ts";

const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
const LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
const ROOTS = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

/** The nodes above these leaves, as the definition has them. */
function nodesOver(entries: readonly Uint8Array[]): ReadNode {
  const leaves = entries.map(leafHash);
  const read = (level: number, index: number): Uint8Array =>
    level === 0
      ? (leaves[index] ?? expect.fail("no such leaf"))
      : nodeHash(read(level - 1, 2 * index), read(level - 1, 2 * index + 1));
  return async (level, index) => read(level, index);
}

/** The recursion of RFC 6962, 2.1. */
function definedRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return EMPTY_ROOT;
  if (leaves.length === 1) return leaves[0] as Uint8Array;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return nodeHash(definedRoot(leaves.slice(0, k)), definedRoot(leaves.slice(k)));
}

const entries = LEAVES.map(bytesOf);
const treeOf = (size: number) => ({ size, root: bytesOf(ROOTS[size - 1] ?? "") });

test("roots and proofs of the known entries are the published ones", async () => {
  const read = nodesOver(entries);
  expect(toHex(await rootOf(0, read))).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  for (const [i, root] of ROOTS.entries()) expect(toHex(await rootOf(i + 1, read))).toBe(root);
  const three = await consistencyProof(3, 8, read);
  expect(three.map(toBase64)).toEqual([
    "ApjRIpBtz8EIkstTpzmS/FufST6kybrbJ7eRtBJ6f+c=",
    "B1Bqhf2d0vEg62lPhgEeW7RmLlxBWmKRcDPUqWJEh+c=",
    "+sVCA+fMaWzw38tCySodnbr3CtnmIfS9jZhmLwDjwSU=",
    "a0eq8p7jwq+a+Im8H7klTavTEXfxYjLdaqsDXKOb9uQ=",
  ]);
  expect(await consistencyProof(4, 8, read)).toEqual(three.slice(3));
  expect((await inclusionProof(5, 8, read)).map(toBase64)).toEqual([
    "vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms=",
    "yoVOoSjtBQtBs1/8G4e46yveRh6eO1WW7Oa51ZdaCuA=",
    "037kGJdt2VdTwcc4Yrk5j6Kiz5tP8P3+izDNlSCWFLc=",
  ]);
  expect(isConsistent(treeOf(3), treeOf(8), three)).toBe(true);
});

const MOST = 300;
const all = Array.from({ length: MOST }, (_, i) => Uint8Array.of(i, i >> 8));
const nodes = nodesOver(all);
const sizes = fc.tuple(fc.nat(MOST), fc.nat(MOST)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

test("every entry is included in every tree that has it, and nothing else is", async () => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(), async ([index, size], mutation) => {
      fc.pre(index < size);
      const root = await rootOf(size, nodes);
      expect(toHex(root)).toBe(toHex(definedRoot(all.slice(0, size).map(leafHash))));
      const tree = { size, root };
      const proof = await inclusionProof(index, size, nodes);
      const leaf = leafHash(all[index] as Uint8Array);
      expect(isIncluded(leaf, index, tree, proof)).toBe(true);
      const other = mutation % size;
      if (other !== index) expect(isIncluded(leaf, other, tree, proof)).toBe(false);
      expect(isIncluded(leaf, index, tree, [...proof, leaf])).toBe(false);
      expect(isIncluded(leafHash(Uint8Array.of(9)), index, tree, proof)).toBe(false);
      expect(isIncluded(leaf, index + 2 ** 53, tree, proof)).toBe(false);
      if (proof.length > 0) {
        expect(isIncluded(leaf, index, tree, proof.slice(1))).toBe(false);
        expect(isIncluded(leaf, index, tree, proof.slice(0, -1))).toBe(false);
        expect(isIncluded(leaf, index, tree, flipped(proof, mutation))).toBe(false);
      }
    }),
  );
});

test("every tree is the beginning of every later one, and of no other", async () => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(), async ([from, size], mutation) => {
      const [old, tree] = [
        { size: from, root: await rootOf(from, nodes) },
        { size, root: await rootOf(size, nodes) },
      ];
      const proof = await consistencyProof(from, size, nodes);
      expect(isConsistent(old, tree, proof)).toBe(true);
      expect(isConsistent(old, tree, [...proof, EMPTY_ROOT])).toBe(false);
      if (from > 0) expect(isConsistent({ ...old, root: EMPTY_ROOT }, tree, proof)).toBe(false);
      if (from < size) expect(isConsistent(tree, old, proof)).toBe(false);
      if (proof.length > 0) {
        expect(isConsistent(old, tree, proof.slice(1))).toBe(false);
        expect(isConsistent(old, tree, flipped(proof, mutation))).toBe(false);
        expect(isConsistent(old, { ...tree, root: EMPTY_ROOT }, proof)).toBe(false);
      }
    }),
  );
});

/** With one bit of one hash changed. */
function flipped(proof: readonly Uint8Array[], at: number): Uint8Array[] {
  const changed = proof.map((hash) => Uint8Array.from(hash));
  const hash = changed[at % changed.length] as Uint8Array;
  hash[at % 32] = (hash[at % 32] ?? 0) ^ (1 << (at % 8));
  return changed;
}

test("base64 has one spelling", () => {
  expect(fromBase64("AAE=")).toEqual(Uint8Array.of(0, 1));
  for (const other of ["AAE", "AAF=", " AAE=", "AA-_", "A", "====", "AAE=\n"])
    expect(fromBase64(other)).toBeUndefined();
});
