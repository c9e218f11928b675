import type { LoggedTransaction } from "#ports.ts";
import type { Statement } from "./connection/database.ts";

/** The local ledger's history: added to and never changed. A place that is taken is refused. */
export function appendToLog(transaction: LoggedTransaction): Statement {
  const { sequence, txDigest, bytes, signatures, timestampMs } = transaction;
  return {
    text: "INSERT INTO ledger_log (sequence, tx_digest, bytes, signatures, timestamp_ms) VALUES ($1, $2, $3, $4, $5)",
    values: [sequence, txDigest, bytes, JSON.stringify(signatures), timestampMs],
  };
}

export const logPage = ({ after = 0, limit }: { after?: number; limit: number }): Statement => ({
  text: `SELECT sequence, tx_digest AS "txDigest", bytes, signatures, timestamp_ms AS "timestampMs"
         FROM ledger_log WHERE sequence > $1 ORDER BY sequence LIMIT $2`,
  values: [after, limit],
});

export type LogRow = Omit<LoggedTransaction, "signatures"> & { readonly signatures: string };

export function toLogged({ signatures, ...row }: LogRow): LoggedTransaction {
  return { ...row, signatures: JSON.parse(signatures) };
}
