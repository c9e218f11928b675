// The outbox of the transparency log. An entry is recorded in the transaction of what it tells of. In PostgreSQL the row of
// the counter stays locked until the commit, as that of events: so numbers have the order of commits, and no gap.

import { DEPLOYMENT } from "#adapters/records/shared/schema/tenant-tables.ts";
import * as sql from "#adapters/records/shared/sql.ts";
import type { EntryKind, NewEntry } from "#core/log/entry.ts";
import type { NewEvent } from "#ports.ts";

const FOUND_BY_SUBJECT: ReadonlySet<EntryKind> = new Set<EntryKind>([
  "opened",
  "issued",
  "imported",
  "forgotten",
  "expired",
  "reset",
]);
/** What the entry is found by, if it is: the id of an answer or a memory, or the time of a reset. */
export const subjectOf = ({ kind, about }: NewEntry) => (FOUND_BY_SUBJECT.has(kind) ? about : undefined);

/** So many take some 100 µs to read, of which one may be wanted. */
export const MOST_IN_BATCH = 50;

/** SQL: whether a batch has an entry of a kind, which is SQL as well. */
export const hasKind = (kind: string): string => `entries LIKE '%"kind":"' || ${kind} || '"%'`;

export const logStatements = statementsFor("$tenant");
export const deploymentLogStatements = statementsFor(String(DEPLOYMENT));

/** `tenant` is SQL: whose the entries are. */
function statementsFor(tenant: string) {
  const counted = (name: string) => `(SELECT value FROM counters WHERE tenant = ${tenant} AND name = '${name}')`;
  const TAKE = sql.statement`UPDATE counters SET value = value + $1::bigint WHERE tenant = ${tenant} AND name = 'log'`;
  const newest = `(SELECT max(last) FROM log_batches WHERE tenant = ${tenant})`;
  const inTree = `(SELECT number FROM log_chains WHERE tenant = ${tenant})`;
  const queued = sql.either(
    "(SELECT coalesce(max(queued), 0) + 1 FROM log_batches WHERE queued IS NOT NULL)",
    sql.nextIn("log_batches", "queued"),
  );
  // A statement of its own: it sees what was committed by the time that the counter was taken, as the version of the policy.
  const last = sql.either(`coalesce(${newest}, ${inTree}, 0) + $1`, counted("log"));
  const ADD = sql.statement`
    INSERT INTO log_batches (tenant, last, size, queued, at, in_force, entries)
    SELECT ${tenant}, ${last}, $1${sql.either("", "::bigint")}, ${queued}, ${sql.NOW}, ${counted("policy")}, $2`;
  const ADD_SUBJECTS = sql.statement`
    INSERT INTO log_subjects (tenant, about, last) SELECT ${tenant}, value, ${sql.either(newest, counted("log"))} FROM ${sql.listIn("$1")}`;

  function addBatch(entries: readonly NewEntry[]): sql.Statement[] {
    const [json, count] = [JSON.stringify(entries), entries.length];
    const subjects = new Set(entries.flatMap((entry) => subjectOf(entry) ?? []));
    return [
      sql.chosen({ sqlite: () => [ADD(count, json)], postgres: () => [TAKE(count), ADD(count, json)] }),
      ...(subjects.size === 0 ? [] : [ADD_SUBJECTS([...subjects])]),
    ];
  }

  return {
    /** To run last, but before events. No statement when there are none. */
    add(entries: readonly NewEntry[]): sql.Statement[] {
      const batches = Math.ceil(entries.length / MOST_IN_BATCH);
      return Array.from({ length: batches }, (_, i) =>
        addBatch(entries.slice(i * MOST_IN_BATCH, (i + 1) * MOST_IN_BATCH)),
      ).flat();
    },
  };
}

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
