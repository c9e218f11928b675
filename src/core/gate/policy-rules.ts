// The policy as a persistent map: rules in UTF-8 order by agent and namespace, divided into chunks. A change copies one
// chunk, so readers keep a consistent view as long as they like, and a change costs the same whatever the policy's
// size.
import { partitionPoint } from "#core/collections/partition-point.ts";
import { byUtf8 } from "#core/encoding/utf8-order.ts";
import { type AccessRule, type Policy, policyFrom, type RuleChange } from "./policy.ts";

type Chunk = readonly AccessRule[];
type Key = Omit<AccessRule, "allowed">;

/** Chunks in order. None is empty. */
export type PolicyRules = readonly Chunk[];

const CHUNK = 256;

export const NO_RULES: PolicyRules = [];

export const rulesFrom = (rules: readonly AccessRule[]): PolicyRules => divided(rules.toSorted(byKey));

export function withChange(rules: PolicyRules, change: Pick<RuleChange, "agentId" | "namespace" | "to">): PolicyRules {
  const { agentId, namespace, to } = change;
  const added = to === null ? [] : [{ agentId, namespace, allowed: to }];
  const at = chunkFor(rules, change);
  const chunk = rules[at] ?? [];
  const place = firstNotBefore(chunk, change);
  const found = chunk[place];
  const removed = found !== undefined && byKey(found, change) === 0 ? 1 : 0;
  const changed = chunk.toSpliced(place, removed, ...added);
  return rules.toSpliced(
    at,
    1,
    ...(changed.length > 2 * CHUNK ? divided(changed) : changed.length > 0 ? [changed] : []),
  );
}

export const policyOf = (rules: PolicyRules, agentId: string): Policy => policyFrom(rulesOfAgent(rules, agentId));

export function agentsOf(rules: PolicyRules, limit: number): string[] {
  const agents: string[] = [];
  for (const chunk of rules) {
    for (const { agentId } of chunk) if (agentId !== agents.at(-1)) agents.push(agentId);
    if (agents.length >= limit) break;
  }
  return agents.slice(0, limit);
}

function* rulesOfAgent(rules: PolicyRules, agentId: string): Generator<AccessRule> {
  const start = { agentId, namespace: "" };
  let at = chunkFor(rules, start);
  let place = firstNotBefore(rules[at] ?? [], start);
  for (; at < rules.length; at++, place = 0) {
    for (const rule of rules[at]?.slice(place) ?? []) {
      if (rule.agentId !== agentId) return;
      yield rule;
    }
  }
}

/** The position of the last chunk that begins at or before the key. */
const chunkFor = (rules: PolicyRules, key: Key): number =>
  Math.max(0, partitionPoint(rules.length, (i) => byKey(rules[i]?.[0] ?? key, key) <= 0) - 1);

const firstNotBefore = (chunk: Chunk, key: Key): number =>
  partitionPoint(chunk.length, (i) => byKey(chunk[i] ?? key, key) < 0);

const divided = (sorted: Chunk): PolicyRules =>
  Array.from({ length: Math.ceil(sorted.length / CHUNK) }, (_, i) => sorted.slice(i * CHUNK, (i + 1) * CHUNK));

/** UTF-8 order, by agent and namespace. */
export const byKey = (a: Key, b: Key): number => byUtf8(a.agentId, b.agentId) || byUtf8(a.namespace, b.namespace);
