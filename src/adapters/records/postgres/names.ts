// The names in use. A unique key refuses a new name that looks like another, whichever process brings it.
import type { ClientBase } from "pg";
import { NAMES_IN_USE, type Name, withPlaces, withSkeletons } from "#adapters/records/shared/memories/names.ts";
import { ConfusableNameError, type NameKind } from "#core/names/confusable-name.ts";
import { SKELETON_VERSION } from "#core/names/skeleton.ts";
import { LOCKS } from "./connection/advisory-locks.ts";
import type { Database, Statement } from "./connection/database.ts";
import { isNameTaken } from "./connection/failures.ts";

const USE = `
  INSERT INTO names (kind, name, skeleton, place)
  SELECT kind, name, skeleton, 0 FROM unnest($1::text[], $2::text[], $3::text[]) AS given (kind, name, skeleton)
  ON CONFLICT (kind, name) DO NOTHING`;

const FIND_ALIKE = `
  SELECT given.kind, held.name FROM unnest($1::text[], $2::text[], $3::text[]) AS given (kind, name, skeleton)
  JOIN names AS held ON held.kind = given.kind AND held.skeleton = given.skeleton AND held.place = 0
  WHERE NOT EXISTS (SELECT FROM names AS own WHERE own.kind = given.kind AND own.name = given.name)`;

const REPLACE = `
  INSERT INTO names (kind, name, skeleton, place)
  SELECT kind, name, skeleton, place FROM json_to_recordset($1::json) AS given (kind text, name text, skeleton text, place integer)`;

function columns(names: readonly Name[]): string[][] {
  const rows = withSkeletons(names);
  return [rows.map(({ kind }) => kind), rows.map(({ name }) => name), rows.map(({ skeleton }) => skeleton)];
}

/** Takes the names into use. The transaction fails when one is new and looks like another. */
export function takeNames(names: readonly Name[]): Statement[] {
  return names.length === 0 ? [] : [{ text: USE, values: columns(names) }];
}

/** Nobody else may take a name into use meanwhile. */
export function replaceNames(names: readonly Name[]): Statement[] {
  return [
    { text: "DELETE FROM names", values: [] },
    { text: REPLACE, values: [JSON.stringify(withPlaces(names))] },
  ];
}

/** Rejects when one of the names is new and looks like another. */
export async function checkNames(database: Database, names: readonly Name[], cause?: unknown): Promise<void> {
  const found = await database.row<{ kind: NameKind; name: string }>({ text: FIND_ALIKE, values: columns(names) });
  if (found !== undefined) throw new ConfusableNameError(found.kind, found.name, cause);
}

/**
 * Runs `write`, which takes the names into use. When the key refused one of them, says which name it looks like. Two
 * transactions that bring the same new name at once may also end there. Then none looks like it, and `write` runs again.
 */
export async function takingNames<T>(database: Database, names: readonly Name[], write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isNameTaken(error)) throw error;
    await checkNames(database, names, error);
    return write();
  }
}

/** Derives the skeletons again when those on record are of another version. */
export async function updateSkeletons(client: ClientBase): Promise<void> {
  if (await hasNewestSkeletons(client)) return;
  await client.query("BEGIN");
  try {
    await client.query(
      "SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0; SET LOCAL search_path = portcullis",
    );
    await client.query(`SELECT pg_advisory_xact_lock(${LOCKS.migration})`);
    if (!(await hasNewestSkeletons(client))) {
      await client.query("LOCK TABLE names IN EXCLUSIVE MODE");
      const { rows } = await client.query<Name>(NAMES_IN_USE);
      for (const { text, values = [] } of replaceNames(rows)) await client.query(text, [...values]);
      await client.query("UPDATE skeletons SET version = $1", [SKELETON_VERSION]);
    }
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

export async function hasNewestSkeletons(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ version: string }>("SELECT version FROM portcullis.skeletons");
  return rows[0]?.version === SKELETON_VERSION;
}
