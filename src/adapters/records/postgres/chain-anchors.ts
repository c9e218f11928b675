import {
  type ChainAnchorRow,
  type PendingRow,
  type SignedRow,
  toChainAnchor,
  toPending,
  toSigned,
} from "#adapters/records/shared/rows.ts";
import { digestOfText } from "#core/encoding/digest.ts";
import type { ChainAnchorRecords, ChainOutcome } from "#ports.ts";
import type { Database, Statement } from "./connection/database.ts";
import { addEventsOf } from "./logs/events.ts";

const REQUEST = `agent_id AS "agentId", blob_id AS "blobId", digest, claimed`;
const PENDING_REQUEST = `id, ${REQUEST}, policy_version AS "policyVersion"`;
const COUNT_PENDING =
  "SELECT count(*) AS count FROM (SELECT FROM chain_requests WHERE receipt_id IS NULL LIMIT $1) AS pending";
const PENDING: Statement = {
  text: `SELECT ${PENDING_REQUEST} FROM chain_requests WHERE receipt_id IS NULL ORDER BY id`,
  values: [],
};

// The update changes nothing. It makes the statement return the row that is there already. An index has no room for
// long claims, so the request is found by their digest.
const ADD_REQUEST = `
  INSERT INTO chain_requests (agent_id, blob_id, digest, claimed, claims_digest, policy_version, requested_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (digest, claims_digest, coalesce(policy_version, -1)) WHERE receipt_id IS NULL
    DO UPDATE SET digest = excluded.digest
  RETURNING ${PENDING_REQUEST}`;

const ADD_ANCHORS = `
  WITH added AS (
    INSERT INTO chain_anchors (receipt_id, agent_id, blob_id, digest, claimed, tx_digest, all_authorized, ledger_version,
      anchored_at)
    SELECT "receiptId", agent_id, blob_id, digest, claimed, "txDigest", "allAuthorized", "ledgerVersion", "anchoredAt"
    FROM json_to_recordset($1::json) AS ended (id bigint, "receiptId" text, "txDigest" text, "allAuthorized" boolean,
      "ledgerVersion" text, "anchoredAt" text)
    JOIN chain_requests USING (id)
    ON CONFLICT DO NOTHING RETURNING receipt_id, agent_id, blob_id, tx_digest, anchored_at
  ),
  anchored AS (
    SELECT added.anchored_at AS at, json_build_object('answerId', answer_id, 'blobId', blob_id, 'receiptId', receipt_id,
      'txDigest', tx_digest, 'agentId', CASE WHEN issued_answer IS NOT NULL THEN agent_id END)::text AS data
    FROM added JOIN anchors USING (blob_id)
  ),
  ${addEventsOf("anchored", "receipt-anchored")}`;
const END_REQUESTS = `
  UPDATE chain_requests SET receipt_id = "receiptId"
  FROM json_to_recordset($1::json) AS ended (id bigint, "receiptId" text) WHERE chain_requests.id = ended.id`;

function complete(outcomes: readonly ChainOutcome[]): Statement[] {
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
const FIND = `${ANCHOR} $1`;
const OUTCOME_OF = `${ANCHOR} (SELECT receipt_id FROM chain_requests WHERE id = $1)`;

const ADD_TRANSACTION = `
  INSERT INTO transactions (tx_digest, bytes, signature, requests, is_open) VALUES ($1, $2, $3, $4, true)
  ON CONFLICT (tx_digest) DO UPDATE SET requests = excluded.requests, is_open = true`;
const OPEN_TRANSACTIONS: Statement = {
  text: `SELECT tx_digest AS "txDigest", bytes, signature, requests FROM transactions WHERE is_open ORDER BY place`,
  values: [],
};
const HAS_TRANSACTION = "SELECT FROM transactions WHERE tx_digest = $1";
const TELL = `
  INSERT INTO gates (gate_id, told) VALUES ($1, $2)
  ON CONFLICT (gate_id) DO UPDATE SET told = greatest(gates.told, excluded.told)`;
const CLOSE_TRANSACTION = "UPDATE transactions SET is_open = false WHERE tx_digest = $1";
const DROP = "DELETE FROM chain_requests WHERE id = $1 AND receipt_id IS NULL";

export function chainAnchorRecords({ rows, row, write }: Database): ChainAnchorRecords {
  return {
    async request({ agentId, blobId, digest, claimed, policyVersion: wanted }, at) {
      const names = JSON.stringify(claimed);
      const values = [agentId, blobId, digest, names, digestOfText(names), wanted === "newest" ? null : wanted, at];
      return toPending((await row<PendingRow>({ text: ADD_REQUEST, values })) as PendingRow);
    },
    pending: async () => (await rows<PendingRow>(PENDING)).map(toPending),
    async countPending(most) {
      return (await row<{ count: number }>({ text: COUNT_PENDING, values: [most] }))?.count ?? 0;
    },
    addTransaction: ({ txDigest, bytes, signature, requests, tells }) =>
      write(
        { text: ADD_TRANSACTION, values: [txDigest, bytes, signature, JSON.stringify(requests)] },
        ...(tells === undefined ? [] : [{ text: TELL, values: [tells.gateId, tells.version] }]),
      ),
    openTransactions: async () => (await rows<SignedRow>(OPEN_TRANSACTIONS)).map(toSigned),
    hasTransaction: async (txDigest) => (await row({ text: HAS_TRANSACTION, values: [txDigest] })) !== undefined,
    closeTransaction: (txDigest, outcomes) =>
      write(...complete(outcomes), { text: CLOSE_TRANSACTION, values: [txDigest] }),
    complete: (outcome) => write(...complete([outcome])),
    drop: (id) => write({ text: DROP, values: [id] }),
    find: async (receiptId) => toChainAnchor(await row<ChainAnchorRow>({ text: FIND, values: [receiptId] })),
    outcomeOf: async (id) => toChainAnchor(await row<ChainAnchorRow>({ text: OUTCOME_OF, values: [id] })),
  };
}
