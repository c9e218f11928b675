import type { Json, Sql } from "#adapters/records/shared/sql.ts";
import type { LedgerLog, LoggedTransaction } from "#ports.ts";

const APPEND =
  "INSERT INTO ledger_log (sequence, tx_digest, bytes, signatures, timestamp_ms) VALUES ($1, $2, $3, $4, $5)";
const PAGE = `
  SELECT sequence, tx_digest AS "txDigest", bytes, signatures, timestamp_ms AS "timestampMs"
  FROM ledger_log WHERE sequence > $1 ORDER BY sequence LIMIT $2`;

export function ledgerLog(sql: Sql): LedgerLog {
  return {
    append: ({ sequence, txDigest, bytes, signatures, timestampMs }) =>
      sql.write({ text: APPEND, values: [sequence, txDigest, bytes, JSON.stringify(signatures), timestampMs] }),
    async page({ after = 0, limit }) {
      const rows = await sql.rows<Json<LoggedTransaction, "signatures">>({ text: PAGE, values: [after, limit] });
      return rows.map((row) => ({ ...row, signatures: JSON.parse(row.signatures) }));
    },
  };
}
