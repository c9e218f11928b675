import {
  CHANGES_PER_READ,
  type ChangeRow,
  NO_SEAL,
  REMOVED_ID,
  SEAL_COLUMNS,
  toChangePage,
  toSnapshot,
  unchanged,
} from "#adapters/records/shared/memories/change-feed.ts";
import type { ChangeFeed, ChangeRange } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";
import type { CounterTable } from "./connection/counters.ts";
import { rowReader } from "./connection/row-reader.ts";
import { takeUpTo } from "./connection/take-up-to.ts";
import type { NamespaceTable } from "./tables/namespaces.ts";
import type { PolicyTable } from "./tables/policy-table.ts";

/** How much text one read brings. A read blocks the process, and a memory may have 8,000 characters. */
const CHARACTERS_PER_READ = 500_000;

export function changeFeed(
  { database, read, inSnapshot }: Connection,
  counters: CounterTable,
  namespaces: NamespaceTable,
  policy: PolicyTable,
): ChangeFeed {
  const inRange = "namespace = :namespace AND sequence > :after AND sequence <= :through";
  const changes = rowReader<ChangeRow>(
    database,
    `SELECT sequence, content, created_at AS createdAt, NULL AS captured, NULL AS pinned, ${SEAL_COLUMNS}
     FROM memories WHERE ${inRange}
     UNION ALL
     SELECT sequence, NULL, NULL, captured, NULL, ${REMOVED_ID} FROM forgotten WHERE ${inRange}
     UNION ALL
     SELECT sequence, NULL, NULL, captured, pinned, ${NO_SEAL} FROM pin_changes WHERE ${inRange}
     ORDER BY sequence LIMIT ${CHANGES_PER_READ}`,
  );
  function readChanges(range: ChangeRange) {
    const { taken, isCut } = takeUpTo(
      CHARACTERS_PER_READ,
      changes({ ...range }),
      ({ content }) => content?.length ?? 0,
    );
    return toChangePage(range, taken, isCut || taken.length === CHANGES_PER_READ);
  }

  return {
    since: (cursor) =>
      read(
        () =>
          unchanged(cursor, counters.all()) ??
          inSnapshot(() =>
            toSnapshot(cursor, counters.all(), namespaces.headsAfter(cursor.position), () =>
              policy.updateSince(cursor.policyVersion),
            ),
          ),
      ),
    changesIn: (range) => read(() => readChanges(range)),
  };
}
