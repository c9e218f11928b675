// The policy as a persistent map: a change makes a new map that shares nearly everything with the old one. So readers
// keep a consistent view for as long as they like, and a change costs the same whatever the policy's size.
//
// The leaves are sorted by agent and namespace, in UTF-8 order, and divided into chunks. A change copies one chunk.
import { byUtf8 } from "#core/encoding/utf8-order.ts";
import { type AccessRule, type LeafChange, type Policy, policyFrom } from "./policy.ts";

type Chunk = readonly AccessRule[];
type Key = Omit<AccessRule, "allowed">;

/** Chunks in order. None is empty. */
export type PolicyLeaves = readonly Chunk[];

const CHUNK = 256;

export const NO_LEAVES: PolicyLeaves = [];

export function leavesFrom(rules: readonly AccessRule[]): PolicyLeaves {
  return divided(rules.toSorted(byKey));
}

export function withLeaf(leaves: PolicyLeaves, change: Pick<LeafChange, "agentId" | "namespace" | "to">): PolicyLeaves {
  const { agentId, namespace, to } = change;
  const added = to === null ? [] : [{ agentId, namespace, allowed: to }];
  const at = chunkFor(leaves, change);
  const chunk = leaves[at] ?? [];
  const place = firstNotBefore(chunk, change);
  const found = chunk[place];
  const removed = found !== undefined && byKey(found, change) === 0 ? 1 : 0;
  const changed = chunk.toSpliced(place, removed, ...added);
  return leaves.toSpliced(
    at,
    1,
    ...(changed.length > 2 * CHUNK ? divided(changed) : changed.length > 0 ? [changed] : []),
  );
}

export function policyOf(leaves: PolicyLeaves, agentId: string): Policy {
  return policyFrom(leavesOfAgent(leaves, agentId));
}

export function agentsOf(leaves: PolicyLeaves, limit: number): string[] {
  const agents: string[] = [];
  for (const chunk of leaves) {
    for (const { agentId } of chunk) if (agentId !== agents.at(-1)) agents.push(agentId);
    if (agents.length >= limit) break;
  }
  return agents.slice(0, limit);
}

function* leavesOfAgent(leaves: PolicyLeaves, agentId: string): Generator<AccessRule> {
  const start = { agentId, namespace: "" };
  let at = chunkFor(leaves, start);
  let place = firstNotBefore(leaves[at] ?? [], start);
  for (; at < leaves.length; at++, place = 0) {
    for (const leaf of leaves[at]?.slice(place) ?? []) {
      if (leaf.agentId !== agentId) return;
      yield leaf;
    }
  }
}

/** The position of the last chunk that begins at or before the key. */
function chunkFor(leaves: PolicyLeaves, key: Key): number {
  return Math.max(0, partitionPoint(leaves.length, (i) => byKey(leaves[i]?.[0] ?? key, key) <= 0) - 1);
}

function firstNotBefore(chunk: Chunk, key: Key): number {
  return partitionPoint(chunk.length, (i) => byKey(chunk[i] ?? key, key) < 0);
}

/** Binary search: how many of the first positions, up to `length`, are `true`. They come before all others. */
function partitionPoint(length: number, isBefore: (i: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function divided(sorted: Chunk): PolicyLeaves {
  return Array.from({ length: Math.ceil(sorted.length / CHUNK) }, (_, i) => sorted.slice(i * CHUNK, (i + 1) * CHUNK));
}

function byKey(a: Key, b: Key): number {
  return byUtf8(a.agentId, b.agentId) || byUtf8(a.namespace, b.namespace);
}
