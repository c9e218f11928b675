// Anchors: receipts stored as blobs and on the ledger, the transactions that brought them there, the local ledger, and the
// keys that sign receipts.
import { columnsIn, type SchemaDialect } from "./dialect.ts";

export function anchorTables(dialect: SchemaDialect): string {
  const { text, integer, newKey, rows, clustered } = dialect;
  const columns = columnsIn(dialect);
  return `
  -- The keys that sign receipts. The private half is gone when a key has ended.
  CREATE TABLE signing_keys (
    key_id ${text} PRIMARY KEY,
    ${columns("public_key:bytes private_key:bytes? created_at ended_at?")}
  ) ${rows};

  -- The keys of another deployment, whose receipts were imported into the tenant. They sign nothing here.
  CREATE TABLE imported_keys (
    ${columns("tenant:integer key_id public_key:bytes created_at ended_at")},
    PRIMARY KEY (tenant, key_id)
  ) ${clustered};

  -- issued_answer names the receipt that was issued here, word for word; NULL for one that was not.
  CREATE TABLE anchors (
    ${columns("tenant:integer blob_id digest answer_id issued_answer? anchored_at body")},
    PRIMARY KEY (tenant, blob_id),
    FOREIGN KEY (tenant, issued_answer) REFERENCES receipts (tenant, answer_id)
  ) ${rows};
  CREATE INDEX anchors_issued ON anchors (tenant, issued_answer) WHERE issued_answer IS NOT NULL;
  CREATE INDEX anchors_digest ON anchors (tenant, digest);
  -- What is public is found without a tenant.
  CREATE INDEX anchors_public_digest ON anchors (digest) WHERE issued_answer IS NOT NULL;
  CREATE INDEX anchors_public_answer ON anchors (issued_answer) WHERE issued_answer IS NOT NULL;

  -- Receipts on the ledger, and the requests that led there. A request without a receipt is pending. An anchor is found by
  -- any of its ids, the oldest first.
  CREATE TABLE chain_anchors (
    ${columns("tenant:integer receipt_id agent_id blob_id digest claimed tx_digest all_authorized:flag")},
    ${columns("ledger_version anchored_at")},
    PRIMARY KEY (tenant, receipt_id)
  ) ${rows};
  CREATE INDEX chain_anchors_digest ON chain_anchors (tenant, digest, anchored_at, receipt_id);
  CREATE INDEX chain_anchors_blob ON chain_anchors (tenant, blob_id, anchored_at, receipt_id);
  CREATE INDEX chain_anchors_transaction ON chain_anchors (tenant, tx_digest, anchored_at, receipt_id);
  CREATE INDEX chain_anchors_public_receipt ON chain_anchors (receipt_id);
  CREATE INDEX chain_anchors_public_transaction ON chain_anchors (tx_digest);

  -- The queue to the ledger. The tenants share it, because the ledger has one signer.
  -- policy_version is the one that claims are judged by; null is the newest one.
  -- claims_digest stands for claimed in the index: entries of PostgreSQL's have room for some 2,700 bytes only.
  CREATE TABLE chain_requests (
    tenant ${integer} NOT NULL,
    id ${newKey},
    ${columns("agent_id blob_id digest claimed claims_digest requested_at receipt_id? policy_version:integer?")},
    FOREIGN KEY (tenant, receipt_id) REFERENCES chain_anchors (tenant, receipt_id)
  ) ${rows};
  CREATE UNIQUE INDEX chain_requests_pending
    ON chain_requests (tenant, digest, claims_digest, coalesce(policy_version, -1))
    WHERE receipt_id IS NULL;
  CREATE INDEX chain_requests_tenant ON chain_requests (tenant, receipt_id);
  -- Those of one tenant, and of all.
  CREATE INDEX chain_requests_in_order ON chain_requests (receipt_id, tenant, id) WHERE receipt_id IS NULL;

  -- Signed, and recorded before it was sent; open until its outcome is on record. tenant is whose gate it calls.
  -- ledger_chain_hash is what the local ledger's log said of it then: a hash of the log's hash chain.
  CREATE TABLE transactions (
    tx_digest ${text} PRIMARY KEY,
    ${columns("tenant:integer bytes:bytes signature requests is_open:flag ledger_chain_hash?")}
  ) ${rows};
  CREATE INDEX transactions_tenant ON transactions (tenant);
  -- Two signed transactions could use the same coin. So the second is not recorded, and not sent, while one is open.
  CREATE UNIQUE INDEX transactions_one_open ON transactions (is_open) WHERE is_open;

  -- The local ledger's history, the hash chain over it, and its last hash.
  CREATE TABLE ledger_log (
    sequence ${integer} PRIMARY KEY,
    tx_digest ${text} NOT NULL UNIQUE,
    ${columns("bytes:bytes signatures timestamp_ms:integer chain_hash")}
  ) ${rows};
  CREATE TABLE ledger_head (
    id ${integer} PRIMARY KEY CHECK (id = 1),
    sequence ${integer} NOT NULL,
    chain_hash ${text} NOT NULL
  ) ${rows};`;
}
