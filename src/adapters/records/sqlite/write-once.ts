import type { WriteOnceValues } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";

export function writeOnceValues({ database, read, write }: Connection): WriteOnceValues {
  // The update changes nothing. It makes the statement return the row that is there already.
  const insert = database.prepare(
    "INSERT INTO kept (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET name = name RETURNING value",
  );
  const byName = database.prepare("SELECT value FROM kept WHERE name = ?");
  return {
    putIfAbsent: (name, value) => write(() => insert.get(name, value)?.value as Uint8Array),
    find: (name) => read(() => byName.get(name)?.value as Uint8Array | undefined),
  };
}
