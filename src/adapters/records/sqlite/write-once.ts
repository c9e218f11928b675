import type { DatabaseSync } from "node:sqlite";

/** Values that are the same for everybody. Must run inside a transaction. */
export function keptValues(database: DatabaseSync) {
  // The update changes nothing: it is how the row that is there already comes back in the same statement.
  const keep = database.prepare(
    "INSERT INTO kept (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET name = name RETURNING value",
  );
  return { once: (name: string, value: Uint8Array) => keep.get(name, value)?.value as Uint8Array };
}
