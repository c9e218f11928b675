// The Merkle tree of RFC 6962 with SHA-256: hashes, proofs that an entry is in a tree, and proofs that one tree is the
// beginning of another. Sizes are whole numbers up to 2^53, so nothing here uses 32-bit operators.
import { sha256Of } from "./sha256.ts";

const HASH_BYTES = 32;
/** A proof in the largest tree has no more. */
export const MOST_HASHES = 63;

export const EMPTY_ROOT: Uint8Array = sha256Of();

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export const leafHash = (entry: Uint8Array): Uint8Array => sha256Of(LEAF, entry);
export const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256Of(NODE, left, right);

/** By level, the hashes of all complete subtrees over these nodes. */
export function completeSubtrees(hashes: readonly Uint8Array[]): readonly (readonly Uint8Array[])[] {
  const levels = [hashes];
  for (let below = hashes; below.length > 1; ) {
    const level: Uint8Array[] = [];
    for (let i = 0; i + 1 < below.length; i += 2)
      level.push(nodeHash(below[i] as Uint8Array, below[i + 1] as Uint8Array));
    levels.push(level);
    below = level;
  }
  return levels;
}

/** The root of a tree whose leaves come one after the other. It keeps a hash for each complete subtree. */
export function growingRoot() {
  const subtrees: Tree[] = [];
  let size = 0;
  return {
    size: () => size,
    append(leaf: Uint8Array): void {
      let added: Tree = { size: 1, root: leaf };
      for (let left = subtrees.at(-1); left?.size === added.size; left = subtrees.at(-1)) {
        added = { size: 2 * added.size, root: nodeHash(left.root, added.root) };
        subtrees.pop();
      }
      subtrees.push(added);
      size += 1;
    },
    root: (): Uint8Array => rootBefore() ?? EMPTY_ROOT,
    /** Of this tree, and a smaller one to its right. Undefined if there is neither. */
    rootBefore,
  };

  function rootBefore(rest?: Uint8Array): Uint8Array | undefined {
    return subtrees.reduceRight((right, { root }) => (right === undefined ? root : nodeHash(root, right)), rest);
  }
}

/** The hash of the complete subtree of 2^level entries that begins at the entry index · 2^level. */
export type ReadNode = (level: number, index: number) => Promise<Uint8Array>;

export const rootOf = async (size: number, read: ReadNode): Promise<Uint8Array> =>
  size === 0 ? EMPTY_ROOT : subtreeRoot(0, size, read);

/** The sibling of the leaf first, the child of the root last. */
export async function inclusionProof(index: number, size: number, read: ReadNode): Promise<Uint8Array[]> {
  const { steps } = wayDown(index + 1, size, (_start, length) => length === 1);
  return rootsOf(steps, read);
}

/** That the tree of the first `from` entries is the beginning of the tree of `size`. */
export async function consistencyProof(from: number, size: number, read: ReadNode): Promise<Uint8Array[]> {
  if (from === 0) return [];
  const { steps, ...last } = wayDown(from, size, (start, length) => start + length === from);
  // The verifier has the root of the old tree, so that is left out.
  return rootsOf(last.start === 0 ? steps : [last, ...steps], read);
}

/** One after the other: what one has read, the next ones need. */
async function rootsOf(subtrees: readonly Subtree[], read: ReadNode): Promise<Uint8Array[]> {
  const roots: Uint8Array[] = [];
  for (const { start, length } of subtrees) roots.push(await subtreeRoot(start, length, read));
  return roots;
}

interface Subtree {
  readonly start: number;
  readonly length: number;
}

/**
 * From the root down, by subtrees that have the entry before `end`, to the first one that is wanted. The siblings on the way
 * come from below: what proofs are made of.
 */
function wayDown(end: number, size: number, isWanted: (start: number, length: number) => boolean) {
  const steps: (Subtree & { readonly isRight: boolean })[] = [];
  let [start, length] = [0, size];
  while (!isWanted(start, length)) {
    const left = splitOf(length);
    const isRight = end <= start + left;
    steps.push(isRight ? { isRight, start: start + left, length: length - left } : { isRight, start, length: left });
    [start, length] = isRight ? [start, left] : [start + left, length - left];
  }
  return { start, length, steps: steps.reverse() };
}

export interface Tree {
  readonly size: number;
  readonly root: Uint8Array;
}

/** Whether the proof leads from the leaf of this index to the root. */
export function isIncluded(leaf: Uint8Array, index: number, tree: Tree, proof: readonly Uint8Array[]): boolean {
  if (!isSize(tree.size) || !isSize(index) || index >= tree.size || !areHashes([leaf, tree.root, ...proof]))
    return false;
  const { steps } = wayDown(index + 1, tree.size, (_start, length) => length === 1);
  if (steps.length !== proof.length) return false;
  const root = steps.reduce((hash, { isRight }, i) => parentOf(hash, proof[i] as Uint8Array, isRight), leaf);
  return isSameHash(root, tree.root);
}

/** Whether the proof shows that the old tree is the beginning of the new one. */
export function isConsistent(old: Tree, tree: Tree, proof: readonly Uint8Array[]): boolean {
  const hasValidSizes = isSize(old.size) && isSize(tree.size) && old.size <= tree.size;
  if (!hasValidSizes || !areHashes([old.root, tree.root, ...proof])) return false;
  if (old.size === 0 && !isSameHash(old.root, EMPTY_ROOT)) return false;
  if (old.size === 0 && tree.size > 0) return proof.length === 0;
  const { start, steps } = wayDown(old.size, tree.size, (first, length) => first + length === old.size);
  const [first = EMPTY_ROOT, ...siblings] = start === 0 ? [old.root, ...proof] : proof;
  if (siblings.length !== steps.length) return false;
  let [before, after] = [first, first];
  for (const [i, { isRight }] of steps.entries()) {
    const sibling = siblings[i] as Uint8Array;
    // What is to the right is not in the old tree.
    if (!isRight) before = nodeHash(sibling, before);
    after = parentOf(after, sibling, isRight);
  }
  return isSameHash(before, old.root) && isSameHash(after, tree.root);
}

const parentOf = (hash: Uint8Array, sibling: Uint8Array, isRight: boolean): Uint8Array =>
  isRight ? nodeHash(hash, sibling) : nodeHash(sibling, hash);

const isSameHash = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

async function subtreeRoot(start: number, length: number, read: ReadNode): Promise<Uint8Array> {
  if (isPowerOfTwo(length)) return read(Math.log2(length), start / length);
  const left = splitOf(length);
  const [a, b] = await Promise.all([
    read(Math.log2(left), start / left),
    subtreeRoot(start + left, length - left, read),
  ]);
  return nodeHash(a, b);
}

/** The largest power of two below the length. */
function splitOf(length: number): number {
  let split = 1;
  while (split * 2 < length) split *= 2;
  return split;
}

const isSize = (n: number) => Number.isSafeInteger(n) && n >= 0;
const isPowerOfTwo = (n: number) => Number.isInteger(Math.log2(n));
const areHashes = (hashes: readonly Uint8Array[]) => hashes.every(({ length }) => length === HASH_BYTES);
