import { type LogRow, toLogged } from "#adapters/records/shared/rows.ts";
import type { LedgerLog, LoggedTransaction } from "#ports.ts";
import type { Database } from "./connection/database.ts";

const APPEND = `
  WITH appended AS (
    INSERT INTO ledger_log (sequence, tx_digest, bytes, signatures, timestamp_ms, link)
    VALUES ($1, $2, $3, $4, $5, $6) RETURNING sequence, link)
  INSERT INTO ledger_head (id, sequence, link) SELECT 1, sequence, link FROM appended
  ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, link = excluded.link`;
const HEAD = "SELECT sequence, link FROM ledger_head";
const PAGE = `
  SELECT sequence, tx_digest AS "txDigest", bytes, signatures, timestamp_ms AS "timestampMs", link
  FROM ledger_log WHERE sequence > $1 ORDER BY sequence LIMIT $2`;

export function ledgerLog(database: Database): LedgerLog {
  return {
    append: ({ sequence, txDigest, bytes, signatures, timestampMs, link }) =>
      database.write({
        text: APPEND,
        values: [sequence, txDigest, bytes, JSON.stringify(signatures), timestampMs, link],
      }),
    head: async () => (await database.rows<Pick<LoggedTransaction, "sequence" | "link">>({ text: HEAD }))[0],
    page: async ({ after = 0, limit }) =>
      (await database.rows<LogRow>({ text: PAGE, values: [after, limit] })).map(toLogged),
  };
}
