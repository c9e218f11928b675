import { EMPTY_ROOT, nodeHash } from "#core/log/merkle-tree.ts";

/** The root over these leaves by the recursion of RFC 6962, 2.1. */
export function definedRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length < 2) return leaves[0] ?? EMPTY_ROOT;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return nodeHash(definedRoot(leaves.slice(0, k)), definedRoot(leaves.slice(k)));
}
