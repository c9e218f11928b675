import type { Statement } from "./connection/database.ts";

/** Values that are the same for everybody. Answers with the one that is kept. */
export const keepOnce = (name: string, value: Uint8Array): Statement => ({
  // The update changes nothing: it is how the row that is there already comes back in the same statement.
  text: `INSERT INTO kept (name, value) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING value`,
  values: [name, value],
});
