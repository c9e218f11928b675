import { type LogRow, toLogged } from "#adapters/records/shared/rows.ts";
import type { LedgerLog } from "#ports.ts";
import type { Database } from "./connection/database.ts";

const APPEND =
  "INSERT INTO ledger_log (sequence, tx_digest, bytes, signatures, timestamp_ms) VALUES ($1, $2, $3, $4, $5)";
const PAGE = `
  SELECT sequence, tx_digest AS "txDigest", bytes, signatures, timestamp_ms AS "timestampMs"
  FROM ledger_log WHERE sequence > $1 ORDER BY sequence LIMIT $2`;

export function ledgerLog(database: Database): LedgerLog {
  return {
    append: ({ sequence, txDigest, bytes, signatures, timestampMs }) =>
      database.write({ text: APPEND, values: [sequence, txDigest, bytes, JSON.stringify(signatures), timestampMs] }),
    page: async ({ after = 0, limit }) =>
      (await database.rows<LogRow>({ text: PAGE, values: [after, limit] })).map(toLogged),
  };
}
