import { type LogRow, toLogged } from "#adapters/records/shared/rows.ts";
import type { LedgerLog } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";

export function ledgerLog({ database, read, write }: Connection): LedgerLog {
  const insert = database.prepare(
    "INSERT INTO ledger_log (sequence, tx_digest, bytes, signatures, timestamp_ms, link) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const setHead = database.prepare("INSERT OR REPLACE INTO ledger_head (id, sequence, link) VALUES (1, ?, ?)");
  const readHead = database.prepare("SELECT sequence, link FROM ledger_head");
  const pageAfter = database.prepare(
    `SELECT sequence, tx_digest AS txDigest, bytes, signatures, timestamp_ms AS timestampMs, link
     FROM ledger_log WHERE sequence > ? ORDER BY sequence LIMIT ?`,
  );

  return {
    append: ({ sequence, txDigest, bytes, signatures, timestampMs, link }) =>
      write(() => {
        insert.run(sequence, txDigest, bytes, JSON.stringify(signatures), timestampMs, link);
        setHead.run(sequence, link);
      }),
    head: () => read(() => readHead.get() as Awaited<ReturnType<LedgerLog["head"]>>),
    page: ({ after = 0, limit }) => read(() => (pageAfter.all(after, limit) as unknown as LogRow[]).map(toLogged)),
  };
}
