import {
  type ChainAnchorRow,
  type PendingRow,
  type SignedRow,
  toChainAnchor,
  toPending,
  toSigned,
} from "#adapters/records/shared/rows.ts";
import type { ChainAnchorRecords, ChainOutcome } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";
import type { EventTable } from "./tables/event-table.ts";

const REQUEST = "agent_id AS agentId, blob_id AS blobId, digest, claimed";
const PENDING = `SELECT id, ${REQUEST}, policy_version AS policyVersion FROM chain_requests WHERE receipt_id IS NULL`;
const ANCHOR = `SELECT receipt_id AS receiptId, ${REQUEST}, tx_digest AS txDigest, all_authorized AS allAuthorized,
    ledger_version AS ledgerVersion, anchored_at AS anchoredAt
  FROM chain_anchors WHERE receipt_id = `;

export function chainAnchorRecords(
  { database, read, write, writeFromReserve }: Connection,
  events: EventTable,
): ChainAnchorRecords {
  const findPending = database.prepare(
    `${PENDING} AND digest = ? AND claimed = ? AND coalesce(policy_version, -1) = coalesce(?, -1)`,
  );
  const insertRequest = database.prepare(
    `INSERT INTO chain_requests (agent_id, blob_id, digest, claimed, policy_version, requested_at)
     VALUES (:agentId, :blobId, :digest, :claimed, :policyVersion, :at)`,
  );
  const allPending = database.prepare(`${PENDING} ORDER BY id`);
  const countPending = database.prepare(
    "SELECT count(*) AS count FROM (SELECT 1 FROM chain_requests WHERE receipt_id IS NULL LIMIT ?)",
  );
  const deletePending = database.prepare("DELETE FROM chain_requests WHERE id = ? AND receipt_id IS NULL");
  const insertAnchor = database.prepare(
    `INSERT INTO chain_anchors (receipt_id, agent_id, blob_id, digest, claimed, tx_digest, all_authorized, ledger_version,
       anchored_at)
     SELECT :receiptId, agent_id, blob_id, digest, claimed, :txDigest, :allAuthorized, :ledgerVersion, :anchoredAt
     FROM chain_requests WHERE id = :id
     ON CONFLICT DO NOTHING`,
  );
  const findReceipt = database.prepare(
    `SELECT chain_anchors.blob_id AS blobId, answer_id AS answerId,
       CASE WHEN issued_answer IS NOT NULL THEN agent_id END AS agentId
     FROM chain_anchors JOIN anchors ON anchors.blob_id = chain_anchors.blob_id WHERE receipt_id = ?`,
  );
  const endRequest = database.prepare("UPDATE chain_requests SET receipt_id = ? WHERE id = ?");
  const findAnchor = database.prepare(`${ANCHOR} ?`);
  const findOutcome = database.prepare(`${ANCHOR} (SELECT receipt_id FROM chain_requests WHERE id = ?)`);
  const insertTransaction = database.prepare(
    `INSERT INTO transactions (tx_digest, bytes, signature, requests, is_open)
     SELECT :txDigest, :bytes, :signature, :requests, 1
     WHERE NOT EXISTS (SELECT 1 FROM transactions WHERE is_open = 1 AND tx_digest <> :txDigest)
     ON CONFLICT (tx_digest) DO UPDATE SET requests = excluded.requests, is_open = 1`,
  );
  const allOpen = database.prepare(
    "SELECT tx_digest AS txDigest, bytes, signature, requests FROM transactions WHERE is_open = 1 ORDER BY rowid",
  );
  const findTransaction = database.prepare("SELECT 1 FROM transactions WHERE tx_digest = ?");
  const tell = database.prepare(
    "INSERT INTO gates (gate_id, told) VALUES (?, ?) ON CONFLICT DO UPDATE SET told = max(told, excluded.told)",
  );
  const close = database.prepare("UPDATE transactions SET is_open = 0 WHERE tx_digest = ?");

  function complete({ id, receiptId, txDigest, allAuthorized, ledgerVersion, anchoredAt }: ChainOutcome): void {
    const flags = { allAuthorized: Number(allAuthorized) };
    const { changes } = insertAnchor.run({ id, receiptId, txDigest, ...flags, ledgerVersion, anchoredAt });
    endRequest.run(receiptId, id);
    const receipt = findReceipt.get(receiptId) as AnchoredReceipt | undefined;
    if (changes === 0 || receipt === undefined) return;
    events.add({ at: anchoredAt, kind: "receipt-anchored", ...receipt, receiptId, txDigest });
  }

  return {
    request: ({ claimed: names, policyVersion: wanted, agentId, blobId, digest }, at) =>
      write(() => {
        const claimed = JSON.stringify(names);
        const policyVersion = wanted === "newest" ? null : wanted;
        const pending = findPending.get(digest, claimed, policyVersion) as PendingRow | undefined;
        if (pending !== undefined) return toPending(pending);
        const row = { agentId, blobId, digest, claimed, policyVersion };
        return toPending({ ...row, id: Number(insertRequest.run({ ...row, at }).lastInsertRowid) });
      }),
    pending: () => read(() => (allPending.all() as unknown as PendingRow[]).map(toPending)),
    countPending: (most) => read(() => (countPending.get(most) as { count: number }).count),
    addTransaction: ({ txDigest, bytes, signature, requests, tells }) =>
      write(() => {
        const row = { txDigest, bytes, signature, requests: JSON.stringify(requests) };
        if (insertTransaction.run(row).changes === 0) throw new Error("Another transaction is open.");
        if (tells !== undefined) tell.run(tells.gateId, tells.version);
      }),
    openTransactions: () => read(() => (allOpen.all() as unknown as SignedRow[]).map(toSigned)),
    hasTransaction: (txDigest) => read(() => findTransaction.get(txDigest) !== undefined),
    closeTransaction: (txDigest, outcomes) =>
      write(() => {
        for (const outcome of outcomes) complete(outcome);
        close.run(txDigest);
      }),
    complete: (outcome) => writeFromReserve(() => complete(outcome)),
    drop: (id) => writeFromReserve(() => void deletePending.run(id)),
    find: (receiptId) => read(() => toChainAnchor(findAnchor.get(receiptId) as ChainAnchorRow | undefined)),
    outcomeOf: (id) => read(() => toChainAnchor(findOutcome.get(id) as ChainAnchorRow | undefined)),
  };
}

interface AnchoredReceipt {
  readonly answerId: string;
  readonly agentId: string | null;
  readonly blobId: string;
}
