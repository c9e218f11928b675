// Settings of namespaces. They stand in the rows of their counts, which stay when a namespace is empty.
import {
  NAMESPACE_COLUMNS,
  type SettingsRow,
  toNamespacePage,
  toSettings,
} from "#adapters/records/shared/memories/namespaces.ts";
import type { Connection } from "#adapters/records/sqlite/connection/connection.ts";
import type { Tables } from "#adapters/records/sqlite/tables/tables.ts";
import type { NamespaceRecords } from "#ports.ts";

export function namespaceRecords(
  { database, read, write }: Connection,
  { counters, memories, names, decisions }: Tables,
): NamespaceRecords {
  const byName = database.prepare(`SELECT ${NAMESPACE_COLUMNS} FROM namespaces WHERE name = ?`);
  const upsert = database.prepare(
    `INSERT INTO namespaces (name, memories, head, description, retention_seconds, sealed)
     VALUES (:name, 0, :head, :description, :retentionSeconds, :sealed)
     ON CONFLICT DO UPDATE SET description = excluded.description, retention_seconds = excluded.retention_seconds,
       sealed = excluded.sealed, head = max(head, excluded.head)`,
  );
  const log = database.prepare(
    `INSERT INTO seal_changes (sequence, namespace, sealed, changed_by, changed_at)
     VALUES (:sequence, :name, :sealed, :by, :at)`,
  );
  const isListed = "(memories > 0 OR description IS NOT NULL OR retention_seconds IS NOT NULL OR sealed = 1)";
  const after = database.prepare(
    `SELECT ${NAMESPACE_COLUMNS} FROM namespaces WHERE name > :after AND ${isListed} ORDER BY name LIMIT :limit`,
  );
  const among = database.prepare(
    `SELECT ${NAMESPACE_COLUMNS} FROM namespaces WHERE name > :after AND ${isListed}
       AND name IN (SELECT value FROM json_each(:names)) ORDER BY name LIMIT :limit`,
  );

  return {
    find: (name) => read(() => toSettings(byName.get(name) as SettingsRow | undefined)),
    put: ({ name, description = null, retentionSeconds = null, sealed: wanted }, { by, at, decision }) =>
      write(() => {
        const former = byName.get(name) as SettingsRow | undefined;
        memories.checkRoomFor(name);
        names.use([{ kind: "namespace", name }]);
        const sealed = wanted ?? Boolean(former?.sealed);
        const isChanged = Boolean(former?.sealed) !== sealed;
        const head = isChanged ? counters.advance("memory") : 0;
        if (isChanged) log.run({ sequence: head, name, sealed: Number(sealed), by, at });
        upsert.run({ name, head, description, retentionSeconds, sealed: Number(sealed) });
        decisions.add(decision);
      }),
    page: ({ after: name = "", limit, names: wanted }) =>
      read(() => {
        const values = { after: name, limit: limit + 1 };
        const rows = wanted === undefined ? after.all(values) : among.all({ ...values, names: JSON.stringify(wanted) });
        return toNamespacePage(rows as unknown as SettingsRow[], limit);
      }),
  };
}
