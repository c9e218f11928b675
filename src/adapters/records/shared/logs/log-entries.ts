// The outbox of the transparency log. An entry is recorded in the transaction of what it tells of. In PostgreSQL the row of
// the counter stays locked until the commit, as that of events: so numbers have the order of commits, and no gap.

import { DEPLOYMENT } from "#adapters/records/shared/schema/tenant-tables.ts";
import * as sql from "#adapters/records/shared/sql.ts";
import type { EntryKind } from "#core/log/entry.ts";
import type { NewEvent } from "#ports.ts";

export interface NewEntry {
  readonly kind: EntryKind;
  readonly about?: string;
  readonly details?: Readonly<Record<string, string | number>>;
}

const FIELDS = "kind about details";

export const logStatements = statementsFor("$tenant");
export const deploymentLogStatements = statementsFor(String(DEPLOYMENT));

/** `tenant` is SQL: whose the entries are. */
function statementsFor(tenant: string) {
  const counted = `SELECT value FROM counters WHERE tenant = ${tenant} AND name =`;
  const TAKE = sql.statement`UPDATE counters SET value = value + $1::bigint WHERE tenant = ${tenant} AND name = 'log'`;
  const last = sql.either(
    `coalesce((SELECT max(number) FROM log_entries WHERE tenant = ${tenant}),
      (SELECT number FROM log_chains WHERE tenant = ${tenant}), 0)`,
    `(${counted} 'log') - $1::bigint`,
  );
  const queued = sql.either(
    "(SELECT coalesce(max(queued), 0) FROM log_entries WHERE queued IS NOT NULL) + place",
    sql.nextIn("log_entries", "queued"),
  );
  // A statement of its own: it sees what was committed by the time that the counter was taken, as the version of the policy.
  const ADD = sql.statement`
    INSERT INTO log_entries (tenant, number, queued, at, kind, about, details, in_force)
    SELECT ${tenant}, ${last} + place, ${queued}, ${sql.NOW}, kind, about, details,
      CASE kind WHEN 'opened' THEN (${counted} 'policy') END
    FROM ${sql.tableIn("$2", FIELDS)} ${sql.either("", "ORDER BY place")}`;
  return {
    /** To run last, but before events. No statement when there are none. */
    add(entries: readonly NewEntry[]): sql.Statement[] {
      if (entries.length === 0) return [];
      const add = ADD(entries.length, JSON.stringify(entries.map(toRow)));
      return [sql.chosen({ sqlite: () => [add], postgres: () => [TAKE(entries.length), add] })];
    },
  };
}

const toRow = ({ kind, about, details }: NewEntry) => ({ kind, about, details: details && JSON.stringify(details) });

export const signingKeyEntry = (publicKey: Uint8Array, state: "begun" | "ended"): NewEntry => ({
  kind: "signing-key",
  details: { publicKey: Buffer.from(publicKey).toString("hex"), state },
});

/** Of events that say all that the log does. */
export function entriesOf(event: NewEvent): NewEntry[] {
  switch (event.kind) {
    case "memory-captured":
      return [{ kind: "captured", about: event.memoryId }];
    case "memory-superseded":
      return [{ kind: "superseded", about: event.memoryId }];
    case "memory-forgotten": {
      const { memoryId, cause, tombstone = "", at } = event;
      // A reset is found by its time, which its tombstones have.
      if (memoryId === undefined) return [{ kind: "reset", about: at, details: { tombstone } }];
      return [{ kind: cause === "expired" ? cause : "forgotten", about: memoryId, details: { tombstone } }];
    }
    case "receipt-anchored":
      return event.receiptId === undefined ? [] : [{ kind: "anchored", details: { object: event.receiptId } }];
    default:
      return [];
  }
}
