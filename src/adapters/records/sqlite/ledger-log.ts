import type { DatabaseSync } from "node:sqlite";
import type { LoggedTransaction } from "#ports.ts";

type Row = Omit<LoggedTransaction, "signatures"> & { readonly signatures: string };

/** The local ledger's history: added to and never changed. */
export function ledgerLog(database: DatabaseSync) {
  const insert = database.prepare(
    "INSERT INTO ledger_log (sequence, tx_digest, bytes, signatures, timestamp_ms) VALUES (?, ?, ?, ?, ?)",
  );
  const page = database.prepare(
    `SELECT sequence, tx_digest AS txDigest, bytes, signatures, timestamp_ms AS timestampMs
     FROM ledger_log WHERE sequence > ? ORDER BY sequence LIMIT ?`,
  );

  return {
    append({ sequence, txDigest, bytes, signatures, timestampMs }: LoggedTransaction): void {
      insert.run(sequence, txDigest, bytes, JSON.stringify(signatures), timestampMs);
    },
    page({ after = 0, limit }: { after?: number; limit: number }): LoggedTransaction[] {
      const rows = page.all(after, limit) as unknown as Row[];
      return rows.map(({ signatures, ...row }) => ({ ...row, signatures: JSON.parse(signatures) }));
    },
  };
}
