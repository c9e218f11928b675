import type { AccessRule, LeafChange } from "#core/gate/policy.ts";
import { policyDigestOf } from "#core/gate/policy-link.ts";
import type { PolicyUpdate } from "#ports.ts";

/** How many changed leaves one read brings. A reader that is further behind gets the whole policy. */
export const LEAVES_PER_READ = 1_000;

/** `changes` are those after the reader's version, up to one more than `LEAVES_PER_READ`. */
export function toPolicyUpdate(
  readerVersion: number,
  version: number,
  link: string,
  changes: readonly Omit<LeafChange, "from">[],
  readLeaves: () => readonly AccessRule[],
): PolicyUpdate {
  const digest = policyDigestOf(link);
  // A reader may be ahead: the database was restored from a backup.
  const isNear = readerVersion >= 0 && readerVersion < version && changes.length <= LEAVES_PER_READ;
  return isNear ? { digest, kind: "changes", changes } : { digest, kind: "whole", leaves: readLeaves() };
}
