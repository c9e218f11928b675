import type { DatabaseSync } from "node:sqlite";
import type { NameList } from "#core/name-list.ts";

/** Long lists of names, each kept once. `keep` must run inside a transaction. */
export type NameLists = ReturnType<typeof nameLists>;

export function nameLists(database: DatabaseSync) {
  const find = database.prepare("SELECT id FROM blocked_lists WHERE digest = ?");
  const insert = database.prepare("INSERT INTO blocked_lists (digest) VALUES (?)");
  const insertNames = database.prepare("INSERT INTO blocked_names (list, namespace) SELECT ?, value FROM json_each(?)");

  return {
    /** The id of the list, which is recorded unless it is on record; null for an empty one. */
    keep(list: NameList | undefined): number | null {
      if (list === undefined || list.names.length === 0) return null;
      const known = find.get(list.digest);
      if (known !== undefined) return Number(known.id);
      const id = Number(insert.run(list.digest).lastInsertRowid);
      insertNames.run(id, JSON.stringify(list.names));
      return id;
    },
  };
}
