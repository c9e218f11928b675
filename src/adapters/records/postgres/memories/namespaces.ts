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
  WITH former AS (SELECT coalesce((SELECT sealed FROM namespaces WHERE name = $1), false) AS sealed),
  wanted AS (SELECT coalesce($4::boolean, sealed) AS sealed FROM former),
  changed AS (SELECT FROM former, wanted WHERE former.sealed <> wanted.sealed),
  counted AS (
    UPDATE counters SET value = value + 1 WHERE name = 'memory' AND EXISTS (SELECT FROM changed) RETURNING value
  ),
  logged AS (
    INSERT INTO seal_changes (sequence, namespace, sealed, changed_by, changed_at)
    SELECT value, $1, sealed, $5::text, $6::text FROM counted, wanted
  )
  INSERT INTO namespaces AS known (name, memories, head, description, retention_seconds, sealed)
  SELECT $1, 0, coalesce((SELECT value FROM counted), 0), $2::text, $3::bigint, sealed FROM wanted
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
    async put({ name, description = null, retentionSeconds = null, sealed = null }, { by, at, decision }) {
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
