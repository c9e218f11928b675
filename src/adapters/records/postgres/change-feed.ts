import {
  CHANGES_PER_READ,
  type ChangeRow,
  type Counters,
  toSnapshot,
  unchanged,
} from "#adapters/records/shared/change-feed.ts";
import { toPolicyUpdate } from "#adapters/records/shared/policy-update.ts";
import type { AccessRule, LeafChange } from "#core/gate/policy.ts";
import type { ChangeFeed } from "#ports.ts";
import { readCounters } from "./connection/counters.ts";
import { type Database, READ_SNAPSHOT, type Statement } from "./connection/database.ts";
import { type PolicyHead, readHead, readLogAfter, readPolicyUnlessNear } from "./policy/statements.ts";

// Each part has its own limit, and the limit is a constant. So PostgreSQL reads each from its index, only as far as
// needed.
const CHANGES = `
  (SELECT sequence, namespace, content, created_at AS "createdAt", NULL::bigint AS captured, NULL::boolean AS pinned
    FROM memories
    WHERE sequence > $1 ORDER BY sequence LIMIT ${CHANGES_PER_READ})
  UNION ALL
  (SELECT sequence, namespace, NULL, NULL, captured, NULL FROM forgotten
    WHERE sequence > $1 ORDER BY sequence LIMIT ${CHANGES_PER_READ})
  UNION ALL
  (SELECT sequence, namespace, NULL, NULL, captured, pinned FROM pin_changes
    WHERE sequence > $1 ORDER BY sequence LIMIT ${CHANGES_PER_READ})
  ORDER BY sequence LIMIT ${CHANGES_PER_READ}`;

const changesAfter = (position: number): Statement => ({ text: CHANGES, values: [position] });

/** Takes one statement when nothing has changed, which is the usual case. */
export function changeFeed(database: Database): ChangeFeed {
  return {
    async since(cursor) {
      const [counters] = await database.rows<Counters>(readCounters);
      const empty = unchanged(cursor, counters as Counters);
      if (empty !== undefined) return empty;
      const { position, policyVersion } = cursor;
      const [[current], rows, [head], changes, leaves] = (await database.transaction(
        [
          readCounters,
          changesAfter(position),
          readHead,
          readLogAfter(policyVersion),
          readPolicyUnlessNear(policyVersion),
        ],
        { begin: READ_SNAPSHOT },
      )) as [[Counters], ChangeRow[], [PolicyHead], LeafChange[], AccessRule[]];
      const update = () => toPolicyUpdate(policyVersion, head.version, head.link, changes, () => leaves);
      return toSnapshot(cursor, current, rows, update);
    },
  };
}
