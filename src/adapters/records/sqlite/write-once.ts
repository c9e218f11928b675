import type { WriteOnceValues } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";

export function writeOnceValues({ database, write }: Connection): WriteOnceValues {
  // The update changes nothing. It makes the statement return the row that is there already.
  const insert = database.prepare(
    "INSERT INTO kept (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET name = name RETURNING value",
  );
  return { putIfAbsent: (name, value) => write(() => insert.get(name, value)?.value as Uint8Array) };
}
