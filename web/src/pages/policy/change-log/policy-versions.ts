// Groups the changes of the policy by version: a reset changes many gates in one version.
import type { Reply } from "#contract/routes.ts";
import { changeBy, isAllowed, isRevoked, keyOf, type Policy, type RuleChange } from "#core/gate/policy.ts";

export type Change = Reply<"listPolicyChanges">["changes"][number];

export interface Version {
  readonly version: number;
  readonly at: string;
  readonly by: string;
  readonly changes: readonly Change[];
  readonly isCut?: boolean;
}

/** Newest first. While there are more pages, the last version may be incomplete, so it is left out. */
export function completeVersionsOf(changes: readonly Change[], hasMore: boolean): Version[] {
  const versions = versionsOf(changes);
  return hasMore ? versions.slice(0, -1) : versions;
}

/** The same, with the last one although it is incomplete: one version may have changed 100,000 gates. */
export function versionsWithCut(changes: readonly Change[]): Version[] {
  return versionsOf(changes).map((version, index, all) =>
    index === all.length - 1 ? { ...version, isCut: true } : version,
  );
}

function versionsOf(changes: readonly Change[]): Version[] {
  const versions: (Version & { changes: Change[] })[] = [];
  for (const change of changes) {
    const last = versions.at(-1);
    if (last?.version === change.version) last.changes.push(change);
    else versions.push({ version: change.version, at: change.at, by: change.by, changes: [change] });
  }
  return versions;
}

/** What changes make together, newest first: of each gate its first state and its last, where they differ. */
export function netOf(changes: readonly RuleChange[]): RuleChange[] {
  const net = new Map<string, RuleChange>();
  for (const { agentId, namespace, from, to } of changes) {
    const key = keyOf({ agentId, namespace });
    net.set(key, { agentId, namespace, from, to: net.has(key) ? (net.get(key)?.to ?? null) : to });
  }
  // The version that only moved has no gate.
  return [...net.values()].filter(({ agentId, from, to }) => from !== to && agentId !== "");
}

/** The changes that make gates what they were before others, for those that are not so by now. */
export function undoingOf(changes: readonly RuleChange[], policy: Policy): RuleChange[] {
  return netOf(changes).flatMap(({ agentId, namespace, from: allowed }) => {
    const now = isAllowed(policy, agentId, namespace) || (isRevoked(policy, agentId, namespace) ? false : null);
    return changeBy({ agentId, namespace, allowed }, now) ?? [];
  });
}

/** The state of a gate before and after a change. */
export function transitionOf({ from, to }: Pick<Change, "from" | "to">): string {
  if (from === null && to === false) return "closed";
  return `${word(from)} → ${to === null ? "removed" : word(to)}`;
}

/** Every gate is closed until somebody opens it. */
const word = (allowed: boolean | null): string => (allowed === true ? "open" : "closed");
