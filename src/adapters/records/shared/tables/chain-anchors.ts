import { type Json, type Sql, type Statement, toJsonEach } from "#adapters/records/shared/sql.ts";
import { unavailable } from "#adapters/records/shared/unavailable.ts";
import { digestOfText } from "#core/encoding/digest.ts";
import type {
  ChainAnchor,
  ChainAnchorRecords,
  ChainAnchorRequest,
  ChainOutcome,
  PendingChainAnchor,
  SignedTransaction,
} from "#ports.ts";

/** The expressions in which the databases differ. */
export interface ChainDialect {
  /** What a pending request is found by. An index of PostgreSQL has no room for long claims, so it has their digest. */
  readonly claimsKey: "claimed" | "claims_digest";
  /** Whether a transaction is open, as its index says it. */
  readonly isOpen: string;
  /** The order in which transactions were recorded. */
  readonly place: string;
}

const REQUEST = `agent_id AS "agentId", blob_id AS "blobId", digest, claimed, issued`;
const PENDING = `SELECT id, ${REQUEST} FROM chain_requests WHERE receipt_id IS NULL ORDER BY id`;
const DROP = "DELETE FROM chain_requests WHERE id = $1 AND receipt_id IS NULL";
const ANCHOR = `
  SELECT receipt_id AS "receiptId", ${REQUEST}, tx_digest AS "txDigest", all_authorized AS "allAuthorized",
    ledger_version AS "ledgerVersion", anchored_at AS "anchoredAt"
  FROM chain_anchors WHERE receipt_id = `;
const FIND = `${ANCHOR} $1`;
const OUTCOME_OF = `${ANCHOR} (SELECT receipt_id FROM chain_requests WHERE id = $1)`;

const ADD_ANCHORS = `
  INSERT INTO chain_anchors (receipt_id, agent_id, blob_id, digest, claimed, issued, tx_digest, all_authorized,
    ledger_version, anchored_at)
  SELECT value ->> 'receiptId', agent_id, blob_id, digest, claimed, issued, value ->> 'txDigest',
    CAST(value ->> 'allAuthorized' AS boolean), value ->> 'ledgerVersion', value ->> 'anchoredAt'
  FROM json_each($1) AS ended JOIN chain_requests ON chain_requests.id = CAST(value ->> 'id' AS bigint) WHERE true
  ON CONFLICT DO NOTHING`;
const END_REQUESTS = `
  UPDATE chain_requests SET receipt_id = value ->> 'receiptId' FROM json_each($1) AS ended
  WHERE chain_requests.id = CAST(value ->> 'id' AS bigint)`;
const CLOSE_TRANSACTION = "UPDATE transactions SET is_open = false WHERE tx_digest = $1";

function complete(...outcomes: readonly ChainOutcome[]): Statement[] {
  const values = [toJsonEach(outcomes)];
  return [
    { text: ADD_ANCHORS, values },
    { text: END_REQUESTS, values },
  ];
}

/** A row in which the claims are JSON, and flags are 0 and 1 if the database is SQLite. */
type Row<T extends ChainAnchorRequest> = Json<T, "claimed">;

function toPending(row: Row<PendingChainAnchor>): PendingChainAnchor {
  return { ...row, claimed: JSON.parse(row.claimed), issued: Boolean(row.issued) };
}

function toAnchor(row: Row<ChainAnchor> | undefined): ChainAnchor | undefined {
  if (row === undefined) return undefined;
  const { claimed, issued, allAuthorized } = row;
  return { ...row, claimed: JSON.parse(claimed), issued: Boolean(issued), allAuthorized: Boolean(allAuthorized) };
}

export function chainAnchorRecords(sql: Sql, { claimsKey, isOpen, place }: ChainDialect): ChainAnchorRecords {
  const hasDigest = claimsKey === "claims_digest";
  // The update changes nothing. It makes the statement return the row that is there already.
  const addRequest = `
    INSERT INTO chain_requests (agent_id, blob_id, digest, issued, requested_at, claimed${hasDigest ? ", claims_digest" : ""})
    VALUES ($1, $2, $3, $4, $5, $6${hasDigest ? ", $7" : ""})
    ON CONFLICT (digest, ${claimsKey}) WHERE receipt_id IS NULL DO UPDATE SET digest = excluded.digest
    RETURNING id, ${REQUEST}`;
  const addTransaction = `
    INSERT INTO transactions (tx_digest, bytes, signature, requests, is_open) SELECT $1, $2, $3, $4, true
    WHERE NOT EXISTS (SELECT 1 FROM transactions WHERE ${isOpen} AND tx_digest <> $1)
    ON CONFLICT (tx_digest) DO UPDATE SET requests = excluded.requests, is_open = true RETURNING tx_digest`;
  const openTransactions = `
    SELECT tx_digest AS "txDigest", bytes, signature, requests FROM transactions WHERE ${isOpen} ORDER BY ${place}`;

  return {
    async request({ agentId, blobId, digest, claimed, issued }, at) {
      const names = JSON.stringify(claimed);
      const values = [agentId, blobId, digest, issued, at, names, ...(hasDigest ? [digestOfText(names)] : [])];
      return toPending((await sql.writeRow({ text: addRequest, values })) as Row<PendingChainAnchor>);
    },
    pending: async () => (await sql.rows<Row<PendingChainAnchor>>({ text: PENDING })).map(toPending),
    async addTransaction({ txDigest, bytes, signature, requests }) {
      const values = [txDigest, bytes, signature, JSON.stringify(requests)];
      const added = await sql.writeRow({ text: addTransaction, values });
      if (added === undefined) throw unavailable(new Error("Another transaction is open."));
    },
    async openTransactions() {
      const rows = await sql.rows<Json<SignedTransaction, "requests">>({ text: openTransactions });
      return rows.map((row) => ({ ...row, requests: JSON.parse(row.requests) }));
    },
    closeTransaction: (txDigest, outcomes) =>
      sql.write(...complete(...outcomes), { text: CLOSE_TRANSACTION, values: [txDigest] }),
    complete: (outcome) => sql.write(...complete(outcome)),
    drop: (id) => sql.write({ text: DROP, values: [id] }),
    find: async (receiptId) => toAnchor(await sql.row({ text: FIND, values: [receiptId] })),
    outcomeOf: async (id) => toAnchor(await sql.row({ text: OUTCOME_OF, values: [id] })),
  };
}
