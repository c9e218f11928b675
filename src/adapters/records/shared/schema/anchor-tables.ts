// Receipts stored as blobs and on the ledger, their transactions, the local ledger, and the keys that sign receipts.
import type { SchemaDialect } from "./dialect.ts";

export const anchorTables = ({ rows }: SchemaDialect): string => `
  -- The keys that sign receipts. The private half is gone when a key has ended.
  TABLE signing_keys: key_id:id public_key:bytes private_key:bytes? created_at ended_at? STORED ${rows};

  -- The keys of another deployment, whose receipts were imported into the tenant. They sign nothing here.
  TABLE imported_keys: tenant:integer key_id | public_key:bytes created_at ended_at;

  -- issued_answer names the receipt that was issued here, word for word; NULL for one that was not.
  TABLE anchors: tenant:integer blob_id | digest answer_id issued_answer? anchored_at body,
    FOREIGN KEY (tenant, issued_answer) REFERENCES receipts (tenant, answer_id) STORED ${rows};
  CREATE INDEX anchors_issued ON anchors (tenant, issued_answer) WHERE issued_answer IS NOT NULL;
  CREATE INDEX anchors_digest ON anchors (tenant, digest);

  -- Receipts on the ledger, and the requests that led there. A request without a receipt is pending. An anchor is found by
  -- any of its ids, the oldest first.
  TABLE chain_anchors: tenant:integer receipt_id | agent_id blob_id digest claimed tx_digest all_authorized:flag
    ledger_version anchored_at STORED ${rows};
  CREATE INDEX chain_anchors_digest ON chain_anchors (tenant, digest, anchored_at, receipt_id);
  CREATE INDEX chain_anchors_blob ON chain_anchors (tenant, blob_id, anchored_at, receipt_id);
  CREATE INDEX chain_anchors_transaction ON chain_anchors (tenant, tx_digest, anchored_at, receipt_id);

  -- The queue to the ledger. The tenants share it, because the ledger has one signer.
  -- policy_version is the one that claims are judged by; null is the newest one.
  -- claims_digest stands for claimed in the index: entries of PostgreSQL's have room for some 2,700 bytes only.
  TABLE chain_requests: tenant:integer id:key agent_id blob_id digest claimed claims_digest requested_at receipt_id?
    policy_version:integer?, FOREIGN KEY (tenant, receipt_id) REFERENCES chain_anchors (tenant, receipt_id)
    STORED ${rows};
  CREATE UNIQUE INDEX chain_requests_pending
    ON chain_requests (tenant, digest, claims_digest, coalesce(policy_version, -1))
    WHERE receipt_id IS NULL;
  CREATE INDEX chain_requests_tenant ON chain_requests (tenant, receipt_id);
  -- Those of one tenant, and of all.
  CREATE INDEX chain_requests_in_order ON chain_requests (receipt_id, tenant, id) WHERE receipt_id IS NULL;

  -- Signed, and recorded before it was sent; open until its outcome is on record. tenant is whose gate it calls.
  -- ledger_chain_hash is what the local ledger's log said of it then: a hash of the log's hash chain.
  TABLE transactions: tx_digest:id tenant:integer bytes:bytes signature requests is_open:flag ledger_chain_hash?
    STORED ${rows};
  CREATE INDEX transactions_tenant ON transactions (tenant);
  -- Two signed transactions could use the same coin. So the second is not recorded, and not sent, while one is open.
  CREATE UNIQUE INDEX transactions_one_open ON transactions (is_open) WHERE is_open;

  -- The local ledger's history, the hash chain over it, and its last hash.
  TABLE ledger_log: sequence:number tx_digest:unique bytes:bytes signatures timestamp_ms:integer chain_hash
    STORED ${rows};
  TABLE ledger_head: id:single sequence:integer chain_hash STORED ${rows};`;
