// Anchors on the ledger: requests for them, the transactions that carry them, and what the gate was sent.

import { eventStatements } from "#adapters/records/shared/logs/events.ts";
import { ifFound, reader } from "#adapters/records/shared/rows.ts";
import type { Database, Statement } from "#adapters/records/shared/sql/database.ts";
import { among, columnsOf, either, forRows } from "#adapters/records/shared/sql/dialect.ts";
import { digestOfText } from "#core/encoding/digest.ts";
import type * as ports from "#ports.ts";

const REQUEST = `agent_id AS "agentId", blob_id AS "blobId", digest, claimed`;
const PENDING_REQUEST = `id, ${REQUEST}, policy_version AS "policyVersion"`;
const PENDING = `SELECT ${PENDING_REQUEST} FROM chain_requests WHERE tenant = $tenant AND receipt_id IS NULL ORDER BY id`;
const COUNT_PENDING =
  "SELECT count(*) AS count FROM (SELECT 1 FROM chain_requests WHERE tenant = $tenant AND receipt_id IS NULL LIMIT $1) AS pending";

// The update changes nothing. It makes the statement return the row that is there already. An index has no room for
// long claims, so the request is found by their digest.
const ADD_REQUEST = `
  INSERT INTO chain_requests (tenant, agent_id, blob_id, digest, claimed, claims_digest, policy_version, requested_at)
  VALUES ($tenant, $1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (tenant, digest, claims_digest, coalesce(policy_version, -1)) WHERE receipt_id IS NULL
    DO UPDATE SET digest = excluded.digest
  RETURNING ${PENDING_REQUEST}`;

const ANCHOR = `
  SELECT receipt_id AS "receiptId", ${REQUEST}, tx_digest AS "txDigest", all_authorized AS "allAuthorized",
    ledger_version AS "ledgerVersion", anchored_at AS "anchoredAt"
  FROM chain_anchors WHERE tenant = $tenant AND receipt_id = `;
const FIND = `${ANCHOR} $1`;
const OUTCOME_OF = `${ANCHOR} (SELECT receipt_id FROM chain_requests WHERE tenant = $tenant AND id = $1)`;

const ADD_TRANSACTION = `
  INSERT INTO transactions (tx_digest, tenant, bytes, signature, requests, is_open)
  VALUES ($1, $tenant, $2, $3, $4, true)
  ON CONFLICT (tx_digest) DO UPDATE SET requests = excluded.requests, is_open = true`;
// SQLite needs the first for its partial index, and the second to search it.
const IS_OPEN = "is_open AND is_open = true";
const OPEN_TRANSACTIONS = `
  SELECT tx_digest AS "txDigest", bytes, signature, requests
  FROM transactions WHERE ${IS_OPEN} AND tenant = $tenant`;
const HAS_TRANSACTION = "SELECT 1 FROM transactions WHERE tx_digest = $1";
const CLOSE_TRANSACTION = `
  UPDATE transactions SET is_open = false,
    ledger_chain_hash = (SELECT chain_hash FROM ledger_log WHERE ledger_log.tx_digest = transactions.tx_digest)
  WHERE tx_digest = $1`;
const DROP = "DELETE FROM chain_requests WHERE tenant = $tenant AND id = $1 AND receipt_id IS NULL";

const requestIn = reader<Omit<ports.PendingChainAnchor, "policyVersion">>({ json: ["claimed"] });
const toPending = (row: object): ports.PendingChainAnchor => ({ policyVersion: "newest", ...requestIn(row) });
const toChainAnchor = ifFound(reader<ports.ChainAnchor>({ json: ["claimed"], flags: ["allAuthorized"] }));
const toSigned = reader<ports.SignedTransaction>({ json: ["requests"] });

type AnchoredReceipt = Required<Omit<Extract<ports.NewEvent, { kind: "receipt-anchored" }>, "kind">>;

const noteSent = `
  INSERT INTO ledger_gates (tenant, gate_id, sent_version) VALUES ($tenant, $1, $2)
  ON CONFLICT (tenant, gate_id) DO UPDATE SET sent_version = ${either("max", "greatest")}(ledger_gates.sent_version, excluded.sent_version)`;
const texts = columnsOf("text", "receiptId txDigest ledgerVersion anchoredAt");
const outcome = { id: "bigint", ...texts, allAuthorized: "boolean" } as const;
/** Answers with those that were not on record. */
const addAnchors = forRows<ports.ChainOutcome>(
  outcome,
  (given) => `
    INSERT INTO chain_anchors (tenant, receipt_id, agent_id, blob_id, digest, claimed, tx_digest, all_authorized, ledger_version,
      anchored_at)
    SELECT tenant, "receiptId", agent_id, blob_id, digest, claimed, "txDigest", "allAuthorized", "ledgerVersion", "anchoredAt"
    FROM ${given} JOIN chain_requests ON tenant = $tenant AND chain_requests.id = given.id WHERE true
    ON CONFLICT DO NOTHING RETURNING receipt_id AS "receiptId"`,
);
const endRequests = forRows<ports.ChainOutcome>(
  outcome,
  (given) => `
    UPDATE chain_requests SET receipt_id = "receiptId" FROM ${given}
    WHERE tenant = $tenant AND chain_requests.id = given.id`,
);
const ANCHORED = `
  SELECT receipt_id AS "receiptId", tx_digest AS "txDigest", chain_anchors.anchored_at AS "at", answer_id AS "answerId",
    chain_anchors.blob_id AS "blobId", CASE WHEN issued_answer IS NOT NULL THEN agent_id END AS "agentId"
  FROM chain_anchors JOIN anchors ON anchors.tenant = $tenant AND anchors.blob_id = chain_anchors.blob_id
  WHERE chain_anchors.tenant = $tenant AND ${among("receipt_id", "$1")}`;

export function chainAnchorRecords(database: Database): ports.ChainAnchorRecords {
  const { rows, row, write, change, readThenWrite, reserve } = database;

  function complete(
    write: typeof readThenWrite,
    outcomes: readonly ports.ChainOutcome[],
    last: readonly Statement[] = [],
  ) {
    const anchored = { text: ANCHORED, values: [outcomes.map(({ receiptId }) => receiptId)] };
    const reads = [...addAnchors(outcomes), anchored];
    return write(reads, (results) => {
      const added = new Set((results.slice(0, -1).flat() as { receiptId: string }[]).map(({ receiptId }) => receiptId));
      const receipts = (results.at(-1) as AnchoredReceipt[]).filter(({ receiptId }) => added.has(receiptId));
      const happened = eventStatements.add(
        receipts.map((receipt) => ({ ...receipt, kind: "receipt-anchored" as const })),
      );
      return { statements: [...endRequests(outcomes), ...last, ...happened], outcome: undefined };
    });
  }

  return {
    async request({ agentId, blobId, digest, claimed, policyVersion: wanted }, at) {
      const names = JSON.stringify(claimed);
      const values = [agentId, blobId, digest, names, digestOfText(names), wanted === "newest" ? null : wanted, at];
      const [pending = {}] = await change<object>({ text: ADD_REQUEST, values });
      return toPending(pending);
    },
    pending: async () => (await rows<object>({ text: PENDING, values: [] })).map(toPending),
    countPending: async (most) => (await row<{ count: number }>({ text: COUNT_PENDING, values: [most] }))?.count ?? 0,
    addTransaction: ({ txDigest, bytes, signature, requests, sends }) =>
      write(
        { text: ADD_TRANSACTION, values: [txDigest, bytes, signature, JSON.stringify(requests)] },
        ...(sends === undefined ? [] : [{ text: noteSent, values: [sends.gateId, sends.version] }]),
      ),
    openTransactions: async () => (await rows<object>({ text: OPEN_TRANSACTIONS, values: [] })).map(toSigned),
    hasTransaction: async (txDigest) => (await row({ text: HAS_TRANSACTION, values: [txDigest] })) !== undefined,
    closeTransaction: (txDigest, outcomes) =>
      complete(readThenWrite, outcomes, [{ text: CLOSE_TRANSACTION, values: [txDigest] }]),
    complete: (ended) => complete(reserve.readThenWrite, [ended]),
    drop: (id) => reserve.write({ text: DROP, values: [id] }),
    find: (receiptId) => row<object>({ text: FIND, values: [receiptId] }).then(toChainAnchor),
    outcomeOf: (id) => row<object>({ text: OUTCOME_OF, values: [id] }).then(toChainAnchor),
  };
}

const SENT = `SELECT sent_version AS "sentVersion" FROM ledger_gates WHERE tenant = $tenant AND gate_id = $1`;
const MOVES = `SELECT version, after_version AS "after" FROM ledger_gate_moves
  WHERE tenant = $tenant AND gate_id = $1 ORDER BY version`;
const LATEST = "SELECT coalesce(max(sent_version), 0) AS latest FROM ledger_gates WHERE tenant = $tenant";

export function ledgerGateRecords({ row, rows }: Database): ports.LedgerGateRecords {
  return {
    async find(gateId) {
      // In this order: a move is recorded before anything of it is sent.
      const found = await row<{ sentVersion: number }>({ text: SENT, values: [gateId] });
      return {
        greatest: found?.sentVersion ?? 0,
        moves: await rows<ports.VersionMove>({ text: MOVES, values: [gateId] }),
      };
    },
    latest: async () => (await row<{ latest: number }>({ text: LATEST, values: [] }))?.latest ?? 0,
  };
}

// Work on the ledger, of whichever tenant.
const UNFINISHED_REQUESTS = `
  SELECT chain_requests.tenant AS number, tenants.id, chain_requests.id AS request
  FROM chain_requests JOIN tenants ON tenants.number = chain_requests.tenant
  WHERE receipt_id IS NULL AND deletion IS NULL ORDER BY chain_requests.id LIMIT $1`;
const OPEN_OF_ALL = `
  SELECT tenant AS number, tenants.id, tx_digest AS "txDigest"
  FROM transactions JOIN tenants ON tenants.number = transactions.tenant WHERE ${IS_OPEN}`;
const GATES = `
  SELECT sent.tenant AS number, tenants.id, sent.version < counters.value AS "isBehind"
  FROM (SELECT tenant, max(sent_version) AS version FROM ledger_gates WHERE tenant > $1 GROUP BY tenant ORDER BY tenant LIMIT $2)
      AS sent
    JOIN counters ON counters.tenant = sent.tenant AND counters.name = 'policy'
    JOIN tenants ON tenants.number = sent.tenant
  ORDER BY sent.tenant`;

type GateRow = { readonly number: number; readonly id: string; readonly isBehind: number | boolean };

export function ledgerWork({ rows }: Database): ports.LedgerWork {
  return {
    requests: (limit) => rows({ text: UNFINISHED_REQUESTS, values: [limit] }),
    openTransactions: () => rows({ text: OPEN_OF_ALL, values: [] }),
    async gates({ after, limit }) {
      const found = await rows<GateRow>({ text: GATES, values: [after, limit] });
      const behind = found.filter(({ isBehind }) => isBehind).map(({ number, id }) => ({ number, id }));
      return { behind, next: found.length < limit ? undefined : found.at(-1)?.number };
    },
  };
}
