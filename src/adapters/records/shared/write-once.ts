import type { WriteOnceValues } from "#ports.ts";
import type { Database } from "./sql/database.ts";

// The update changes nothing. It makes the statement return the row that is there already.
const PUT_IF_ABSENT = `
  INSERT INTO write_once (tenant, name, value) VALUES ($tenant, $1, $2)
  ON CONFLICT (tenant, name) DO UPDATE SET name = excluded.name RETURNING value`;
const FIND = "SELECT value FROM write_once WHERE tenant = $tenant AND name = $1";

type Row = { readonly value: Uint8Array };

export function writeOnceValues({ row, change }: Database): WriteOnceValues {
  return {
    async putIfAbsent(name, value) {
      const [stored] = await change<Row>({ text: PUT_IF_ABSENT, values: [name, value] });
      return (stored as Row).value;
    },
    find: async (name) => (await row<Row>({ text: FIND, values: [name] }))?.value,
  };
}
