import type { WriteOnceValues } from "#ports.ts";
import type { Database } from "./connection/database.ts";

// The update changes nothing. It makes the statement return the row that is there already.
const PUT_IF_ABSENT = `
  INSERT INTO kept (name, value) VALUES ($1, $2)
  ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING value`;

export function writeOnceValues(database: Database): WriteOnceValues {
  return {
    async putIfAbsent(name, value) {
      const [row] = await database.rows<{ value: Uint8Array }>({ text: PUT_IF_ABSENT, values: [name, value] });
      return row?.value as Uint8Array;
    },
    async find(name) {
      const text = "SELECT value FROM kept WHERE name = $1";
      return (await database.row<{ value: Uint8Array }>({ text, values: [name] }))?.value;
    },
  };
}
