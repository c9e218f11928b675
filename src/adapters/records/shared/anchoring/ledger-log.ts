import type { Database } from "#adapters/records/shared/sql/database.ts";
import type { LedgerLog, LoggedTransaction } from "#ports.ts";

const APPEND = `
  INSERT INTO ledger_log (sequence, tx_digest, bytes, signatures, timestamp_ms, chain_hash) VALUES ($1, $2, $3, $4, $5, $6)`;
const SET_HEAD = `
  INSERT INTO ledger_head (id, sequence, chain_hash) VALUES (1, $1, $2)
  ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, chain_hash = excluded.chain_hash`;
const HEAD = `SELECT sequence, chain_hash AS "chainHash" FROM ledger_head`;
const PAGE = `
  SELECT sequence, tx_digest AS "txDigest", bytes, signatures, timestamp_ms AS "timestampMs", chain_hash AS "chainHash"
  FROM ledger_log WHERE sequence > $1 ORDER BY sequence LIMIT $2`;

type LogRow = Omit<LoggedTransaction, "signatures"> & { readonly signatures: string };

export function ledgerLog({ rows, row, write }: Database): LedgerLog {
  return {
    append: ({ sequence, txDigest, bytes, signatures, timestampMs, chainHash }) =>
      write(
        { text: APPEND, values: [sequence, txDigest, bytes, JSON.stringify(signatures), timestampMs, chainHash] },
        { text: SET_HEAD, values: [sequence, chainHash] },
      ),
    head: () => row<Pick<LoggedTransaction, "sequence" | "chainHash">>({ text: HEAD, values: [] }),
    async page({ after = 0, limit }) {
      const found = await rows<LogRow>({ text: PAGE, values: [after, limit] });
      return found.map((each) => ({ ...each, signatures: JSON.parse(each.signatures) }));
    },
  };
}
