import { digestOfText } from "#core/encoding/digest.ts";
import type { ChainAnchor, ChainAnchorRequest, ChainOutcome, PendingChainAnchor, SignedTransaction } from "#ports.ts";
import type { Statement } from "./connection/database.ts";

const REQUEST = `agent_id AS "agentId", blob_id AS "blobId", digest, claimed, issued`;

// The update changes nothing: it is how the row that is there already comes back in the same statement.
const ADD_REQUEST = `
  INSERT INTO chain_requests (agent_id, blob_id, digest, claimed, claims_digest, issued, requested_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (digest, claims_digest) WHERE receipt_id IS NULL DO UPDATE SET digest = excluded.digest
  RETURNING id, ${REQUEST}`;

export function addRequest(request: ChainAnchorRequest, at: string): Statement {
  const { agentId, blobId, digest, claimed, issued } = request;
  const names = JSON.stringify(claimed);
  return { text: ADD_REQUEST, values: [agentId, blobId, digest, names, digestOfText(names), issued, at] };
}

export const pendingRequests: Statement = {
  text: `SELECT id, ${REQUEST} FROM chain_requests WHERE receipt_id IS NULL ORDER BY id`,
  values: [],
};

export const dropRequest = (id: number): Statement => ({
  text: "DELETE FROM chain_requests WHERE id = $1 AND receipt_id IS NULL",
  values: [id],
});

const ADD_ANCHORS = `
  INSERT INTO chain_anchors (receipt_id, agent_id, blob_id, digest, claimed, issued, tx_digest, all_authorized,
    ledger_version, anchored_at)
  SELECT "receiptId", agent_id, blob_id, digest, claimed, issued, "txDigest", "allAuthorized", "ledgerVersion",
    "anchoredAt"
  FROM json_to_recordset($1::json) AS ended (id bigint, "receiptId" text, "txDigest" text, "allAuthorized" boolean,
    "ledgerVersion" text, "anchoredAt" text)
  JOIN chain_requests USING (id)
  ON CONFLICT DO NOTHING`;
const END_REQUESTS = `
  UPDATE chain_requests SET receipt_id = "receiptId"
  FROM json_to_recordset($1::json) AS ended (id bigint, "receiptId" text) WHERE chain_requests.id = ended.id`;

export function completeRequests(outcomes: readonly ChainOutcome[]): Statement[] {
  const values = [JSON.stringify(outcomes)];
  return [
    { text: ADD_ANCHORS, values },
    { text: END_REQUESTS, values },
  ];
}

const ANCHOR = `
  SELECT receipt_id AS "receiptId", ${REQUEST}, tx_digest AS "txDigest", all_authorized AS "allAuthorized",
    ledger_version AS "ledgerVersion", anchored_at AS "anchoredAt"
  FROM chain_anchors WHERE receipt_id = `;

export const findAnchor = (receiptId: string): Statement => ({ text: `${ANCHOR} $1`, values: [receiptId] });

export const findOutcome = (id: number): Statement => ({
  text: `${ANCHOR} (SELECT receipt_id FROM chain_requests WHERE id = $1)`,
  values: [id],
});

export function addTransaction({ txDigest, bytes, signature, requests }: SignedTransaction): Statement {
  return {
    text: `INSERT INTO transactions (tx_digest, bytes, signature, requests, is_open) VALUES ($1, $2, $3, $4, true)
           ON CONFLICT (tx_digest) DO UPDATE SET requests = excluded.requests, is_open = true`,
    values: [txDigest, bytes, signature, JSON.stringify(requests)],
  };
}

export const openTransactions: Statement = {
  text: `SELECT tx_digest AS "txDigest", bytes, signature, requests FROM transactions WHERE is_open ORDER BY place`,
  values: [],
};

export const closeTransaction = (txDigest: string): Statement => ({
  text: "UPDATE transactions SET is_open = false WHERE tx_digest = $1",
  values: [txDigest],
});

type Encoded<T, Key extends keyof T> = Omit<T, Key> & Readonly<Record<Key, string>>;
export type PendingRow = Encoded<PendingChainAnchor, "claimed">;
export type AnchorRow = Encoded<ChainAnchor, "claimed">;
export type SignedRow = Encoded<SignedTransaction, "requests">;

export const toPending = (row: PendingRow): PendingChainAnchor => ({ ...row, claimed: JSON.parse(row.claimed) });
export const toAnchor = (row: AnchorRow | undefined): ChainAnchor | undefined =>
  row && { ...row, claimed: JSON.parse(row.claimed) };
export const toSigned = (row: SignedRow): SignedTransaction => ({ ...row, requests: JSON.parse(row.requests) });
