import type { MemoryChange } from "#core/recall/recall-index.ts";
import type { ChangeFeed, FeedCursor, Snapshot } from "#ports.ts";

export const BEGINNING: FeedCursor = { position: 0, policyVersion: -1 };

/** A snapshot, and the changes of all namespaces up to it, in the order of commits. */
export async function readChanges(
  changeFeed: ChangeFeed,
  cursor = BEGINNING,
): Promise<Snapshot & { readonly changes: readonly MemoryChange[] }> {
  const snapshot = await changeFeed.since(cursor);
  const changes: MemoryChange[] = [];
  for (const { namespace, head } of snapshot.heads) {
    for (let after = cursor.position; after < head; ) {
      const page = await changeFeed.changesIn({ namespace, after, through: head });
      changes.push(...page.changes);
      after = page.position;
    }
  }
  return { ...snapshot, changes: changes.sort((a, b) => a.sequence - b.sequence) };
}
