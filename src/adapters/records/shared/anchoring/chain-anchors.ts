// Anchors on the ledger: requests for them, the transactions that carry them, and what the gate was sent.
import { eventStatements } from "#adapters/records/shared/logs/events.ts";
import * as sql from "#adapters/records/shared/sql.ts";
import { digestOfText } from "#core/encoding/digest.ts";
import type { TenantRef } from "#core/identity/tenant.ts";
import type * as ports from "#ports.ts";
import { publish } from "./anchors.ts";

const REQUEST = "agentId blobId digest claimed";
const PENDING_REQUEST = sql.columns(`id ${REQUEST} policyVersion`);
const requestIn = sql.reader<Omit<ports.PendingChainAnchor, "policyVersion">>({ json: ["claimed"] });
const toPending = (row: object): ports.PendingChainAnchor => ({ policyVersion: "newest", ...requestIn(row) });
const PENDING = sql.reading(toPending)`
  SELECT ${PENDING_REQUEST} FROM chain_requests WHERE tenant = $tenant AND receipt_id IS NULL ORDER BY id`;
const COUNT_PENDING = sql.value<number>`
  SELECT count(*) FROM (SELECT 1 FROM chain_requests WHERE tenant = $tenant AND receipt_id IS NULL LIMIT $1) AS pending`;

// The update changes nothing. It makes the statement return the row that is there already. An index has no room for
// long claims, so the request is found by their digest.
const addRequest = sql.insertRow("chain_requests", `${REQUEST} claimsDigest policyVersion requestedAt`, {
  tail: `ON CONFLICT (tenant, digest, claims_digest, coalesce(policy_version, -1)) WHERE receipt_id IS NULL
    DO UPDATE SET digest = excluded.digest RETURNING ${PENDING_REQUEST}`,
  read: toPending,
});

const anchorWhere = (isIt: string) =>
  sql.reading(sql.reader<ports.ChainAnchor>({ json: ["claimed"], flags: ["allAuthorized"] }))`
    SELECT ${sql.columns(`receiptId ${REQUEST} txDigest allAuthorized ledgerVersion anchoredAt`)} FROM chain_anchors
    WHERE tenant = $tenant AND receipt_id = ${isIt}`;
const FIND = anchorWhere("$1");
const OUTCOME_OF = anchorWhere("(SELECT receipt_id FROM chain_requests WHERE tenant = $tenant AND id = $1)");

const addTransaction = sql.insertRow("transactions", "txDigest bytes signature requests", {
  values: { is_open: "true" },
  tail: "ON CONFLICT (tx_digest) DO UPDATE SET requests = excluded.requests, is_open = true",
});
// SQLite needs the first for its partial index, and the second to search it.
const IS_OPEN = "is_open AND is_open = true";
const OPEN_TRANSACTIONS = sql.reading(sql.reader<ports.SignedTransaction>({ json: ["requests"] }))`
  SELECT ${sql.columns("txDigest bytes signature requests")} FROM transactions WHERE ${IS_OPEN} AND tenant = $tenant`;
const HAS_TRANSACTION = sql.statement`SELECT 1 FROM transactions WHERE tx_digest = $1`;
const CLOSE_TRANSACTION = sql.statement`
  UPDATE transactions SET is_open = false,
    ledger_chain_hash = (SELECT chain_hash FROM ledger_log WHERE ledger_log.tx_digest = transactions.tx_digest)
  WHERE tx_digest = $1`;
const DROP = sql.statement`DELETE FROM chain_requests WHERE tenant = $tenant AND id = $1 AND receipt_id IS NULL`;

type AnchoredReceipt = Required<Omit<Extract<ports.NewEvent, { kind: "receipt-anchored" }>, "kind">>;

const NOTE_SENT = sql.statement`
  INSERT INTO ledger_gates (tenant, gate_id, sent_version) VALUES ($tenant, $1, $2)
  ON CONFLICT (tenant, gate_id) DO UPDATE SET sent_version = ${sql.either("max", "greatest")}(ledger_gates.sent_version, excluded.sent_version)`;
const OUTCOME = "id:bigint receiptId txDigest ledgerVersion anchoredAt allAuthorized:boolean";
/** Answers with those that were not on record. */
const addAnchors = sql.forRows<ports.ChainOutcome>(
  OUTCOME,
  (given) => `
    INSERT INTO chain_anchors (tenant, receipt_id, agent_id, blob_id, digest, claimed, tx_digest, all_authorized, ledger_version,
      anchored_at)
    SELECT tenant, "receiptId", agent_id, blob_id, digest, claimed, "txDigest", "allAuthorized", "ledgerVersion", "anchoredAt"
    FROM ${given} JOIN chain_requests ON tenant = $tenant AND chain_requests.id = given.id WHERE true
    ON CONFLICT DO NOTHING RETURNING receipt_id AS "receiptId"`,
);
const endRequests = sql.forRows<ports.ChainOutcome>(
  OUTCOME,
  (given) => `
    UPDATE chain_requests SET receipt_id = "receiptId" FROM ${given}
    WHERE tenant = $tenant AND chain_requests.id = given.id`,
);
const ANCHORED = sql.statement<AnchoredReceipt>`
  SELECT ${sql.columns("receiptId txDigest at=anchored_at blobId", "chain_anchors")}, ${sql.columns("answerId")},
    CASE WHEN issued_answer IS NOT NULL THEN agent_id END AS "agentId"
  FROM chain_anchors JOIN anchors ON anchors.tenant = $tenant AND anchors.blob_id = chain_anchors.blob_id
  WHERE chain_anchors.tenant = $tenant AND ${sql.among("receipt_id", "$1")}`;

export function chainAnchorRecords(database: sql.Database): ports.ChainAnchorRecords {
  const { rows, row, write, change, readThenWrite, reserve } = database;

  function complete(
    write: typeof readThenWrite,
    outcomes: readonly ports.ChainOutcome[],
    last: readonly sql.Statement[] = [],
    imported = false,
  ) {
    const anchored = ANCHORED(outcomes.map(({ receiptId }) => receiptId));
    const reads = [...addAnchors(outcomes), anchored];
    return write(reads, (results) => {
      const added = new Set((results.slice(0, -1).flat() as { receiptId: string }[]).map(({ receiptId }) => receiptId));
      const receipts = (results.at(-1) as AnchoredReceipt[]).filter(({ receiptId }) => added.has(receiptId));
      const happened = eventStatements.add(
        receipts.map((receipt) => ({ ...receipt, kind: "receipt-anchored" as const })),
      );
      // The transaction of one that was on record may be what an import said of it.
      const idsOf = ({ receiptId, txDigest }: ports.ChainOutcome) =>
        added.has(receiptId) ? [receiptId, txDigest] : receiptId;
      const ids = new Set(outcomes.flatMap(idsOf));
      const published = publish([...ids].map((id) => ({ id, kind: "anchor", imported })));
      return { statements: [...endRequests(outcomes), ...published, ...last, ...happened], outcome: undefined };
    });
  }

  return {
    async request({ claimed: names, policyVersion: wanted, ...given }, at) {
      const claimed = JSON.stringify(names);
      const policyVersion = wanted === "newest" ? null : wanted;
      const asked = { ...given, claimed, claimsDigest: digestOfText(claimed), policyVersion, requestedAt: at };
      return (await change(addRequest(asked)))[0] as ports.PendingChainAnchor;
    },
    pending: () => rows(PENDING()),
    countPending: async (most) => (await row(COUNT_PENDING(most))) ?? 0,
    addTransaction: ({ requests, sends, ...signed }) =>
      write(
        addTransaction({ ...signed, requests: JSON.stringify(requests) }),
        ...(sends === undefined ? [] : [NOTE_SENT(sends.gateId, sends.version)]),
      ),
    openTransactions: () => rows(OPEN_TRANSACTIONS()),
    hasTransaction: async (txDigest) => (await row(HAS_TRANSACTION(txDigest))) !== undefined,
    closeTransaction: (txDigest, outcomes) => complete(readThenWrite, outcomes, [CLOSE_TRANSACTION(txDigest)]),
    complete: ({ imported, ...ended }) => complete(reserve.readThenWrite, [ended], [], imported),
    drop: (id) => reserve.write(DROP(id)),
    find: (receiptId) => row(FIND(receiptId)),
    outcomeOf: (id) => row(OUTCOME_OF(id)),
  };
}

const SENT = sql.value<number>`SELECT sent_version FROM ledger_gates WHERE tenant = $tenant AND gate_id = $1`;
const MOVES = sql.statement<ports.VersionMove>`
  SELECT version, after_version AS "after" FROM ledger_gate_moves WHERE tenant = $tenant AND gate_id = $1 ORDER BY version`;
const LATEST = sql.value<number>`SELECT coalesce(max(sent_version), 0) FROM ledger_gates WHERE tenant = $tenant`;

export function ledgerGateRecords({ row, rows }: sql.Database): ports.LedgerGateRecords {
  return {
    async find(gateId) {
      // In this order: a move is recorded before anything of it is sent.
      return { greatest: (await row(SENT(gateId))) ?? 0, moves: await rows(MOVES(gateId)) };
    },
    latest: async () => (await row(LATEST())) ?? 0,
  };
}

// Work on the ledger, of whichever tenant.
const UNFINISHED_REQUESTS = sql.statement<TenantRef & { request: number }>`
  SELECT chain_requests.tenant AS number, tenants.id, chain_requests.id AS request
  FROM chain_requests JOIN tenants ON tenants.number = chain_requests.tenant
  WHERE receipt_id IS NULL AND deletion IS NULL ORDER BY chain_requests.id LIMIT $1`;
const OPEN_OF_ALL = sql.statement<TenantRef & { txDigest: string }>`
  SELECT tenant AS number, tenants.id, tx_digest AS "txDigest"
  FROM transactions JOIN tenants ON tenants.number = transactions.tenant WHERE ${IS_OPEN}`;
const GATES = sql.statement<TenantRef & { isBehind: number | boolean }>`
  SELECT sent.tenant AS number, tenants.id, sent.version < counters.value AS "isBehind"
  FROM (SELECT tenant, max(sent_version) AS version FROM ledger_gates WHERE tenant > $1 GROUP BY tenant ORDER BY tenant LIMIT $2)
      AS sent
    JOIN counters ON counters.tenant = sent.tenant AND counters.name = 'policy'
    JOIN tenants ON tenants.number = sent.tenant
  ORDER BY sent.tenant`;

export function ledgerWork({ rows }: sql.Database): ports.LedgerWork {
  return {
    requests: (limit) => rows(UNFINISHED_REQUESTS(limit)),
    openTransactions: () => rows(OPEN_OF_ALL()),
    async gates({ after, limit }) {
      const found = await rows(GATES(after, limit));
      const behind = found.filter(({ isBehind }) => isBehind).map(({ number, id }) => ({ number, id }));
      return { behind, next: found.length < limit ? undefined : found.at(-1)?.number };
    },
  };
}
