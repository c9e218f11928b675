import { CHANGES_PER_READ, type ChangeRow, toSnapshot, unchanged } from "#adapters/records/shared/change-feed.ts";
import type { ChangeFeed } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";
import type { CounterTable } from "./connection/counters.ts";
import type { PolicyTable } from "./policy-table.ts";

export function changeFeed(
  { database, read, inSnapshot }: Connection,
  counters: CounterTable,
  policy: PolicyTable,
): ChangeFeed {
  const changesAfter = database.prepare(
    `SELECT sequence, namespace, content, created_at AS createdAt, NULL AS captured, NULL AS pinned FROM memories
       WHERE sequence > :position
     UNION ALL
     SELECT sequence, namespace, NULL, NULL, captured, NULL FROM forgotten WHERE sequence > :position
     UNION ALL
     SELECT sequence, namespace, NULL, NULL, captured, pinned FROM pin_changes WHERE sequence > :position
     ORDER BY sequence LIMIT ${CHANGES_PER_READ}`,
  );
  return {
    since: (cursor) =>
      read(
        () =>
          unchanged(cursor, counters.both()) ??
          inSnapshot(() => {
            const rows = changesAfter.all({ position: cursor.position }) as unknown as ChangeRow[];
            return toSnapshot(cursor, counters.both(), rows, () => policy.updateSince(cursor.policyVersion));
          }),
      ),
  };
}
