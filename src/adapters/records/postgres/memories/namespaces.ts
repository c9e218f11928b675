// Settings of namespaces. They stand in the rows of their counts, which stay when a namespace is empty.
import { lockMemoryCounter } from "#adapters/records/postgres/connection/counters.ts";
import type { Database } from "#adapters/records/postgres/connection/database.ts";
import { addDecisions } from "#adapters/records/postgres/logs/decisions.ts";
import { takeNames, takingNames } from "#adapters/records/postgres/names.ts";
import type { Name } from "#adapters/records/shared/memories/names.ts";
import {
  HAS_SETTINGS,
  NAMESPACE_COLUMNS,
  type SettingsRow,
  toNamespacePage,
  toSettings,
} from "#adapters/records/shared/memories/namespaces.ts";
import type { NamespaceRecords, RecordLimits } from "#ports.ts";
import { requireRoomFor } from "./memory-table.ts";

const FIND = `SELECT ${NAMESPACE_COLUMNS} FROM namespaces WHERE name = $1`;

// A change of `sealed` takes a number of its own, and the head of the namespace moves to it.
const PUT = `
  WITH changed AS (SELECT WHERE $4::boolean IS DISTINCT FROM
    coalesce((SELECT sealed FROM namespaces WHERE name = $1), false)),
  counted AS (
    UPDATE counters SET value = value + 1 WHERE name = 'memory' AND EXISTS (SELECT FROM changed) RETURNING value
  ),
  logged AS (
    INSERT INTO seal_changes (sequence, namespace, sealed, changed_by, changed_at)
    SELECT value, $1, $4::boolean, $5::text, $6::text FROM counted
  )
  INSERT INTO namespaces AS known (name, memories, head, description, retention_seconds, sealed)
  VALUES ($1, 0, coalesce((SELECT value FROM counted), 0), $2, $3, $4)
  ON CONFLICT (name) DO UPDATE SET description = excluded.description, retention_seconds = excluded.retention_seconds,
    sealed = excluded.sealed, head = greatest(known.head, excluded.head)`;

/** It has memories or settings. */
const IS_LISTED = `(memories > 0 OR ${HAS_SETTINGS})`;
const AFTER = `
  SELECT ${NAMESPACE_COLUMNS} FROM namespaces WHERE name > $1 AND ${IS_LISTED} ORDER BY name LIMIT $2`;
const AMONG = `
  SELECT ${NAMESPACE_COLUMNS} FROM namespaces WHERE name > $1 AND ${IS_LISTED} AND name = ANY ($3) ORDER BY name LIMIT $2`;

const WITH_SETTINGS = `SELECT 'namespace' AS kind, name FROM namespaces WHERE ${HAS_SETTINGS}`;

/** The names of namespaces that stay in use without any memory. */
export const namesOfSettings = (database: Database): Promise<Name[]> =>
  database.rows<Name>({ text: WITH_SETTINGS, values: [] });

export function namespaceRecords(database: Database, limits: RecordLimits): NamespaceRecords {
  return {
    find: async (name) => toSettings(await database.row<SettingsRow>({ text: FIND, values: [name] })),
    async put({ name, description = null, retentionSeconds = null, sealed }, { by, at, decision }) {
      await requireRoomFor(database, name, limits);
      const names = [{ kind: "namespace", name } as const];
      await takingNames(database, names, () =>
        database.write(
          lockMemoryCounter,
          { text: PUT, values: [name, description, retentionSeconds, sealed, by, at] },
          ...takeNames(names),
          ...addDecisions([decision]),
        ),
      );
    },
    async page({ after = "", limit, names }) {
      const rows = await database.rows<SettingsRow>(
        names === undefined
          ? { text: AFTER, values: [after, limit + 1] }
          : { text: AMONG, values: [after, limit + 1, names] },
      );
      return toNamespacePage(rows, limit);
    },
  };
}
