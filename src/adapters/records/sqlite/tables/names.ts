import type { DatabaseSync } from "node:sqlite";
import { NAMES_IN_USE, type Name, type NameRow, withPlaces } from "#adapters/records/shared/memories/names.ts";
import { ConfusableNameError } from "#core/names/confusable-name.ts";
import { SKELETON_VERSION, skeletonOf } from "#core/names/skeleton.ts";

/** The names in use. Those that write must run inside a transaction. */
export type NameTable = ReturnType<typeof nameTable>;

export function nameTable(database: DatabaseSync) {
  const find = database.prepare("SELECT 1 FROM names WHERE kind = ? AND name = ?");
  const findAlike = database.prepare("SELECT name FROM names WHERE kind = ? AND skeleton = ? AND place = 0");
  const insert = database.prepare("INSERT INTO names (kind, name, skeleton, place) VALUES (?, ?, ?, ?)");
  const deleteAll = database.prepare("DELETE FROM names");

  /** The skeleton of a name that is not in use. Throws when another name looks like it. */
  function skeletonOfNew({ kind, name }: Name): string {
    const skeleton = skeletonOf(name);
    const alike = findAlike.get(kind, skeleton);
    if (alike !== undefined) throw new ConfusableNameError(kind, String(alike.name));
    return skeleton;
  }

  const isInUse = ({ kind, name }: Name) => find.get(kind, name) !== undefined;

  return {
    /** Takes the names into use. Throws when one is new and looks like another. */
    use(names: readonly Name[]): void {
      for (const each of names) if (!isInUse(each)) insert.run(each.kind, each.name, skeletonOfNew(each), 0);
    },
    /** Throws as `use` would. */
    check(names: readonly Name[]): void {
      for (const each of names) if (!isInUse(each)) skeletonOfNew(each);
    },
    replaceAll(rows: readonly NameRow[]): void {
      deleteAll.run();
      for (const { kind, name, skeleton, place } of rows) insert.run(kind, name, skeleton, place);
    },
  };
}

/** Derives the skeletons again when those on record are of another version. */
export function updateSkeletons(database: DatabaseSync): void {
  if (hasNewestSkeletons(database)) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    nameTable(database).replaceAll(withPlaces(database.prepare(NAMES_IN_USE).all() as unknown as Name[]));
    database.prepare("UPDATE skeletons SET version = ?").run(SKELETON_VERSION);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

export const hasNewestSkeletons = (database: DatabaseSync): boolean =>
  database.prepare("SELECT version FROM skeletons").get()?.version === SKELETON_VERSION;
