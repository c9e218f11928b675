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

/** The root over these nodes: complete subtrees of one size, of which the last may be a smaller one. */
export function rootOfHashes(hashes: readonly Uint8Array[]): Uint8Array {
  const [first] = hashes;
  if (first === undefined) return EMPTY_ROOT;
  if (hashes.length === 1) return first;
  const left = splitOf(hashes.length);
  return nodeHash(rootOfHashes(hashes.slice(0, left)), rootOfHashes(hashes.slice(left)));
}

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

export async function rootOf(size: number, read: ReadNode): Promise<Uint8Array> {
  return size === 0 ? EMPTY_ROOT : subtreeRoot(0, size, read);
}

/** The sibling of the leaf first, the child of the root last. */
export async function inclusionProof(index: number, size: number, read: ReadNode): Promise<Uint8Array[]> {
  const proof: Uint8Array[] = [];
  for (let [start, length, place] = [0, size, index]; length > 1; ) {
    const left = splitOf(length);
    const isLeft = place < left;
    proof.push(await (isLeft ? subtreeRoot(start + left, length - left, read) : subtreeRoot(start, left, read)));
    [start, length, place] = isLeft ? [start, left, place] : [start + left, length - left, place - left];
  }
  return proof.reverse();
}

/** That the tree of the first `from` entries is the beginning of the tree of `size`. */
export async function consistencyProof(from: number, size: number, read: ReadNode): Promise<Uint8Array[]> {
  if (from === 0 || from === size) return [];
  const proof: Uint8Array[] = [];
  let [start, length, old] = [0, size, from];
  let isWholeOldTree = true;
  while (old !== length) {
    const left = splitOf(length);
    if (old <= left) {
      proof.push(await subtreeRoot(start + left, length - left, read));
      length = left;
    } else {
      proof.push(await subtreeRoot(start, left, read));
      [start, length, old] = [start + left, length - left, old - left];
      isWholeOldTree = false;
    }
  }
  // The verifier has the root of the old tree, so that is left out.
  if (!isWholeOldTree) proof.push(await subtreeRoot(start, length, read));
  return proof.reverse();
}

export interface Tree {
  readonly size: number;
  readonly root: Uint8Array;
}

/** Whether the proof leads from the leaf of this index to the root (RFC 9162, 2.1.3.2). */
export function isIncluded(leaf: Uint8Array, index: number, tree: Tree, proof: readonly Uint8Array[]): boolean {
  if (!isSize(tree.size) || !isSize(index) || index >= tree.size || !areHashes([leaf, tree.root, ...proof]))
    return false;
  let [node, last, hash] = [index, tree.size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      hash = nodeHash(sibling, hash);
      [node, last] = aboveRightEdge(node, last);
    } else hash = nodeHash(hash, sibling);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && isSameHash(hash, tree.root);
}

/** Whether the proof shows that the old tree is the beginning of the new one (RFC 9162, 2.1.4.2). */
export function isConsistent(old: Tree, tree: Tree, proof: readonly Uint8Array[]): boolean {
  const hasValidSizes = isSize(old.size) && isSize(tree.size) && old.size <= tree.size;
  if (!hasValidSizes || !areHashes([old.root, tree.root, ...proof])) return false;
  if (old.size === 0 && !isSameHash(old.root, EMPTY_ROOT)) return false;
  if (old.size === tree.size) return proof.length === 0 && isSameHash(old.root, tree.root);
  if (old.size === 0) return proof.length === 0;
  const path = isPowerOfTwo(old.size) ? [old.root, ...proof] : [...proof];
  let [node, last] = [old.size - 1, tree.size - 1];
  while (isOdd(node)) [node, last] = [half(node), half(last)];
  const [first, ...rest] = path;
  if (first === undefined) return false;
  let [oldHash, hash] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      [oldHash, hash] = [nodeHash(sibling, oldHash), nodeHash(sibling, hash)];
      [node, last] = aboveRightEdge(node, last);
    } else hash = nodeHash(hash, sibling);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && isSameHash(oldHash, old.root) && isSameHash(hash, tree.root);
}

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

/** Up to the place where the path turns left, or to the top. */
function aboveRightEdge(node: number, last: number): [number, number] {
  let [above, lastAbove] = [node, last];
  while (!isOdd(above) && above !== 0) [above, lastAbove] = [half(above), half(lastAbove)];
  return [above, lastAbove];
}

const half = (n: number) => Math.floor(n / 2);
const isOdd = (n: number) => n % 2 === 1;
const isSize = (n: number) => Number.isSafeInteger(n) && n >= 0;
const isPowerOfTwo = (n: number) => Number.isInteger(Math.log2(n));
const areHashes = (hashes: readonly Uint8Array[]) => hashes.every(({ length }) => length === HASH_BYTES);
