import {
  CHANGES_PER_READ,
  type ChangeRow,
  type Counters,
  type HeadRow,
  NO_SEAL,
  REMOVED_ID,
  SEAL_COLUMNS,
  toChangePage,
  toHead,
  toSnapshot,
} from "#adapters/records/shared/memories/change-feed.ts";
import { toPolicyUpdate } from "#adapters/records/shared/policy/policy-update.ts";
import type { AccessRule, LeafChange } from "#core/gate/policy.ts";
import type { ChangeFeed } from "#ports.ts";
import { COUNTERS } from "./connection/counters.ts";
import { type Database, READ_SNAPSHOT, type Statement } from "./connection/database.ts";
import { type PolicyHead, readHead, readLogAfter, readPolicyUnlessNear } from "./policy/statements.ts";

// Each part has its own limit, and the limit is a constant. So PostgreSQL reads each from its index on namespace and
// sequence, only as far as needed. The conditions are ranges of that index and not equalities, for the reason that
// memory-pages.ts gives.
const nextOf = (table: "memories" | "forgotten" | "pin_changes", columns: string) => `
  (SELECT sequence, ${columns} FROM ${table}
    WHERE (namespace, sequence) > ($1, $2) AND (namespace, sequence) <= ($1, $3)
    ORDER BY namespace, sequence LIMIT ${CHANGES_PER_READ})`;
const CHANGES = `
  ${nextOf("memories", `content, created_at AS "createdAt", NULL::bigint AS captured, NULL::boolean AS pinned, ${SEAL_COLUMNS}`)}
  UNION ALL
  ${nextOf("forgotten", `NULL, NULL, captured, NULL, ${REMOVED_ID}`)}
  UNION ALL
  ${nextOf("pin_changes", `NULL, NULL, captured, pinned, ${NO_SEAL}`)}
  ORDER BY sequence LIMIT ${CHANGES_PER_READ}`;

// Counters and heads in one statement, so as of one moment and in one round trip.
const HEADS = `
  SELECT ${COUNTERS},
    (SELECT coalesce(json_agg(json_build_object('namespace', name, 'memories', memories, 'head', head, 'sealed', sealed)
      ORDER BY name), '[]') FROM namespaces WHERE head > $1) AS heads`;

const headsAfter = (position: number): Statement => ({ text: HEADS, values: [position] });

interface Heads extends Counters {
  readonly heads: readonly HeadRow[];
}

export function changeFeed(database: Database): ChangeFeed {
  return {
    /** Takes one statement while the policy stays as it is. */
    async since(cursor) {
      const { position, policyVersion } = cursor;
      const [found] = await database.rows<Heads>(headsAfter(position));
      const { memory, removal, policy, heads } = found as Heads;
      if (policy === policyVersion)
        return { heads: heads.map(toHead), position: memory, removals: removal, policyVersion };
      const [[current], [head], changes, leaves] = (await database.transaction(
        [headsAfter(position), readHead, readLogAfter(policyVersion), readPolicyUnlessNear(policyVersion)],
        { begin: READ_SNAPSHOT },
      )) as [[Heads], [PolicyHead], LeafChange[], AccessRule[]];
      const update = () => toPolicyUpdate(policyVersion, head.version, head.link, changes, () => leaves);
      return toSnapshot(cursor, current, current.heads.map(toHead), update);
    },

    async changesIn(range) {
      const values = [range.namespace, range.after, range.through];
      const rows = await database.rows<ChangeRow>({ text: CHANGES, values });
      return toChangePage(range, rows, rows.length === CHANGES_PER_READ);
    },
  };
}
