import type { DatabaseSync } from "node:sqlite";
import type { ChainAnchor, ChainAnchorRequest, ChainOutcome, PendingChainAnchor, SignedTransaction } from "#ports.ts";

const REQUEST = "agent_id AS agentId, blob_id AS blobId, digest, claimed, issued";

/** The statements on what goes to the ledger. Those that write must run inside a transaction. */
export function chainTables(database: DatabaseSync) {
  const findPending = database.prepare(
    `SELECT id, ${REQUEST} FROM chain_requests WHERE digest = ? AND claimed = ? AND receipt_id IS NULL`,
  );
  const insertRequest = database.prepare(
    `INSERT INTO chain_requests (agent_id, blob_id, digest, claimed, issued, requested_at)
     VALUES (:agentId, :blobId, :digest, :claimed, :issued, :at)`,
  );
  const allPending = database.prepare(`SELECT id, ${REQUEST} FROM chain_requests WHERE receipt_id IS NULL ORDER BY id`);
  const remove = database.prepare("DELETE FROM chain_requests WHERE id = ? AND receipt_id IS NULL");
  const insertAnchor = database.prepare(
    `INSERT INTO chain_anchors (receipt_id, agent_id, blob_id, digest, claimed, issued, tx_digest, all_authorized,
       ledger_version, anchored_at)
     SELECT :receiptId, agent_id, blob_id, digest, claimed, issued, :txDigest, :allAuthorized, :ledgerVersion, :anchoredAt
     FROM chain_requests WHERE id = :id
     ON CONFLICT DO NOTHING`,
  );
  const finish = database.prepare("UPDATE chain_requests SET receipt_id = ? WHERE id = ?");
  const ANCHOR = `SELECT receipt_id AS receiptId, ${REQUEST}, tx_digest AS txDigest, all_authorized AS allAuthorized,
       ledger_version AS ledgerVersion, anchored_at AS anchoredAt
     FROM chain_anchors WHERE receipt_id = `;
  const findAnchor = database.prepare(`${ANCHOR} ?`);
  const findOutcome = database.prepare(`${ANCHOR} (SELECT receipt_id FROM chain_requests WHERE id = ?)`);
  const insertTransaction = database.prepare(
    `INSERT INTO transactions (tx_digest, bytes, signature, requests, is_open)
     SELECT :txDigest, :bytes, :signature, :requests, 1
     WHERE NOT EXISTS (SELECT 1 FROM transactions WHERE is_open = 1 AND tx_digest <> :txDigest)
     ON CONFLICT (tx_digest) DO UPDATE SET requests = excluded.requests, is_open = 1`,
  );
  const open = database.prepare(
    "SELECT tx_digest AS txDigest, bytes, signature, requests FROM transactions WHERE is_open = 1 ORDER BY rowid",
  );
  const close = database.prepare("UPDATE transactions SET is_open = 0 WHERE tx_digest = ?");

  function complete({ id, receiptId, txDigest, allAuthorized, ledgerVersion, anchoredAt }: ChainOutcome): void {
    insertAnchor.run({ id, receiptId, txDigest, allAuthorized: Number(allAuthorized), ledgerVersion, anchoredAt });
    finish.run(receiptId, id);
  }

  return {
    request({ claimed, issued, agentId, blobId, digest }: ChainAnchorRequest, at: string): PendingChainAnchor {
      const names = JSON.stringify(claimed);
      const pending = findPending.get(digest, names) as RequestRow | undefined;
      if (pending !== undefined) return toPending(pending);
      const row = { agentId, blobId, digest, claimed: names, issued: Number(issued) };
      return toPending({ ...row, id: Number(insertRequest.run({ ...row, at }).lastInsertRowid) });
    },

    pending: (): PendingChainAnchor[] => (allPending.all() as unknown as RequestRow[]).map(toPending),

    drop(id: number): void {
      remove.run(id);
    },

    complete,

    anchor: (receiptId: string) => toAnchor(findAnchor.get(receiptId) as AnchorRow | undefined),
    outcome: (id: number) => toAnchor(findOutcome.get(id) as AnchorRow | undefined),

    addTransaction({ txDigest, bytes, signature, requests }: SignedTransaction): void {
      const row = { txDigest, bytes, signature, requests: JSON.stringify(requests) };
      if (insertTransaction.run(row).changes === 0) throw new Error("Another transaction is open.");
    },

    openTransactions(): SignedTransaction[] {
      const rows = open.all() as unknown as (Omit<SignedTransaction, "requests"> & { requests: string })[];
      return rows.map(({ requests, ...row }) => ({ ...row, requests: JSON.parse(requests) }));
    },

    closeTransaction(txDigest: string, outcomes: readonly ChainOutcome[]): void {
      for (const outcome of outcomes) complete(outcome);
      close.run(txDigest);
    },
  };
}

interface Encoded {
  readonly claimed: string;
  readonly issued: number;
}

type RequestRow = Omit<PendingChainAnchor, keyof Encoded> & Encoded;
type AnchorRow = Omit<ChainAnchor, keyof Encoded | "allAuthorized"> & Encoded & { readonly allAuthorized: number };

function decoded({ claimed, issued }: Encoded): Pick<PendingChainAnchor, keyof Encoded> {
  return { claimed: JSON.parse(claimed), issued: issued === 1 };
}

function toAnchor(row: AnchorRow | undefined): ChainAnchor | undefined {
  return row && { ...row, ...decoded(row), allAuthorized: row.allAuthorized === 1 };
}

function toPending(row: RequestRow): PendingChainAnchor {
  return { ...row, ...decoded(row) };
}
