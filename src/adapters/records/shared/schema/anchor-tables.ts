// Anchors: receipts stored as blobs and on the ledger, the transactions that brought them there, the local ledger, and the
// keys that sign receipts.
import type { SchemaDialect } from "./dialect.ts";

export function anchorTables(dialect: SchemaDialect): string {
  const { text, integer, bytes, flag, rows, sqlite, postgres } = dialect;
  return `
  -- The keys that sign receipts. The private half is gone when a key has ended.
  CREATE TABLE signing_keys (
    key_id ${text} PRIMARY KEY,
    public_key ${bytes} NOT NULL,
    private_key ${bytes},
    created_at ${text} NOT NULL,
    ended_at ${text}
  ) ${rows};

  -- issued_answer names the receipt that was issued here, word for word; NULL for one that was not.
  CREATE TABLE anchors (
    tenant ${integer} NOT NULL,
    blob_id ${text} NOT NULL,
    digest ${text} NOT NULL,
    answer_id ${text} NOT NULL,
    issued_answer ${text},
    anchored_at ${text} NOT NULL,
    body ${text} NOT NULL,
    PRIMARY KEY (tenant, blob_id),
    FOREIGN KEY (tenant, issued_answer) REFERENCES receipts (tenant, answer_id)
  ) ${rows};
  CREATE INDEX anchors_issued ON anchors (tenant, issued_answer) WHERE issued_answer IS NOT NULL;
  CREATE INDEX anchors_digest ON anchors (tenant, digest);

  -- Receipts on the ledger, and the requests that led there. A request without a receipt is pending. An anchor is found by
  -- any of its ids, the oldest first.
  CREATE TABLE chain_anchors (
    tenant ${integer} NOT NULL,
    receipt_id ${text} NOT NULL,
    agent_id ${text} NOT NULL,
    blob_id ${text} NOT NULL,
    digest ${text} NOT NULL,
    claimed ${text} NOT NULL,
    tx_digest ${text} NOT NULL,
    ${flag("all_authorized")} NOT NULL,
    ledger_version ${text} NOT NULL,
    anchored_at ${text} NOT NULL,
    PRIMARY KEY (tenant, receipt_id)
  ) ${rows};
  CREATE INDEX chain_anchors_digest ON chain_anchors (tenant, digest, anchored_at, receipt_id);
  CREATE INDEX chain_anchors_blob ON chain_anchors (tenant, blob_id, anchored_at, receipt_id);
  CREATE INDEX chain_anchors_transaction ON chain_anchors (tenant, tx_digest, anchored_at, receipt_id);

  -- The queue to the ledger. The tenants share it, because the ledger has one signer.
  -- policy_version is the one that claims are judged by; null is the newest one.
  -- claims_digest stands for claimed in the index: entries of PostgreSQL's have room for some 2,700 bytes only.
  CREATE TABLE chain_requests (
    tenant ${integer} NOT NULL,
    id ${sqlite("INTEGER PRIMARY KEY AUTOINCREMENT")}${postgres("bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY")},
    agent_id ${text} NOT NULL,
    blob_id ${text} NOT NULL,
    digest ${text} NOT NULL,
    claimed ${text} NOT NULL,
    claims_digest ${text} NOT NULL,
    requested_at ${text} NOT NULL,
    receipt_id ${text},
    policy_version ${integer},
    FOREIGN KEY (tenant, receipt_id) REFERENCES chain_anchors (tenant, receipt_id)
  ) ${rows};
  CREATE UNIQUE INDEX chain_requests_pending
    ON chain_requests (tenant, digest, claims_digest, coalesce(policy_version, -1))
    WHERE receipt_id IS NULL;

  -- Signed, and recorded before it was sent; open until its outcome is on record. ledger_chain_hash is what the local ledger's
  -- log said of it then: a hash of the log's hash chain.
  CREATE TABLE transactions (
    tx_digest ${text} PRIMARY KEY,
    bytes ${bytes} NOT NULL,
    signature ${text} NOT NULL,
    requests ${text} NOT NULL,
    ${flag("is_open")} NOT NULL,
    ledger_chain_hash ${text}
  ) ${rows};
  -- Two signed transactions could use the same coin. So the second is not recorded, and not sent, while one is open.
  CREATE UNIQUE INDEX transactions_one_open ON transactions (is_open) WHERE is_open;

  -- The local ledger's history, the hash chain over it, and its last hash.
  CREATE TABLE ledger_log (
    sequence ${integer} PRIMARY KEY,
    tx_digest ${text} NOT NULL UNIQUE,
    bytes ${bytes} NOT NULL,
    signatures ${text} NOT NULL,
    timestamp_ms ${integer} NOT NULL,
    chain_hash ${text} NOT NULL
  ) ${rows};
  CREATE TABLE ledger_head (
    id ${integer} PRIMARY KEY CHECK (id = 1),
    sequence ${integer} NOT NULL,
    chain_hash ${text} NOT NULL
  ) ${rows};`;
}
