// The change log by versions: a reset changes many leaves and is one change.
import type { Reply } from "#contract/routes.ts";

export type Change = Reply<"listPolicyChanges">["changes"][number];

export interface Version {
  readonly version: number;
  readonly at: string;
  readonly by: string;
  readonly changes: readonly Change[];
}

/** Newest first, as they come. When more are to come, the last version may be only half there, and is left out. */
export function wholeVersionsOf(changes: readonly Change[], hasMore: boolean): Version[] {
  const versions = versionsOf(changes);
  return hasMore ? versions.slice(0, -1) : versions;
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

/** A leaf before a change and after it. */
export function fromTo({ from, to }: Pick<Change, "from" | "to">): string {
  const before = from === null ? "never opened" : word(from);
  return `${before} → ${to === null ? "no leaf any more" : word(to)}`;
}

const word = (allowed: boolean): string => (allowed ? "open" : "revoked");
