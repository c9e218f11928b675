// A step of the migration: receipts on record lose the text of memories. SQL cannot do it, because commitments are hashes
// that PostgreSQL does not have, and because a body is compared byte for byte.
import type { ClientBase } from "pg";
import { withoutText } from "#adapters/records/shared/receipts/receipt-text.ts";

const AT_ONCE = 500;

/** Answers when no receipt on record holds a snippet. Runs in the transaction of the migration. */
export async function removeTexts(client: ClientBase): Promise<void> {
  for (const table of ["receipts", "opened_receipts"]) {
    for (let after = ""; ; ) {
      const { rows } = await client.query<{ answerId: string; body: string }>(
        `SELECT answer_id AS "answerId", body FROM ${table} WHERE answer_id > $1 ORDER BY answer_id LIMIT ${AT_ONCE}`,
        [after],
      );
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.answerId;
      const changed = rows.map(({ answerId, body }) => [answerId, body, withoutText(body)] as const);
      const without = changed.filter(([, body, withheld]) => body !== withheld);
      await client.query(
        `UPDATE ${table} SET body = given.body FROM unnest($1::text[], $2::text[]) AS given (id, body) WHERE answer_id = id`,
        [without.map(([answerId]) => answerId), without.map(([, , withheld]) => withheld)],
      );
    }
  }
}
