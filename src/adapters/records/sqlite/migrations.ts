// The schema, one step a version. A step that has been released is never edited: write the next one.

export const MIGRATIONS: readonly string[] = [
  `
  -- Numbers that only grow. Taken inside the writing transaction, so their order is the order of commits.
  CREATE TABLE counters (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO counters VALUES ('memory', 0), ('policy', 0);

  CREATE TABLE memories (
    sequence INTEGER PRIMARY KEY,
    memory_id TEXT NOT NULL UNIQUE,
    store_ref TEXT NOT NULL,
    namespace TEXT NOT NULL,
    content TEXT NOT NULL,
    source_agent TEXT NOT NULL,
    created_at TEXT NOT NULL,
    content_digest TEXT NOT NULL
  ) STRICT;

  -- What is left of a forgotten memory: that it is gone, for indices that still have it.
  CREATE TABLE forgotten (
    sequence INTEGER PRIMARY KEY,
    captured INTEGER NOT NULL,
    namespace TEXT NOT NULL
  ) STRICT;

  CREATE TABLE access (
    agent_id TEXT NOT NULL,
    namespace TEXT NOT NULL,
    allowed INTEGER NOT NULL CHECK (allowed IN (0, 1)),
    PRIMARY KEY (agent_id, namespace)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE access_changes (
    version INTEGER NOT NULL,
    agent_id TEXT NOT NULL,
    namespace TEXT NOT NULL,
    was INTEGER CHECK (was IN (0, 1)),
    became INTEGER CHECK (became IN (0, 1)),
    changed_by TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    PRIMARY KEY (version, agent_id, namespace)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE receipts (
    answer_id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;

  -- issued_answer names the receipt that was issued here, word for word; NULL for one that was not.
  CREATE TABLE anchors (
    blob_id TEXT PRIMARY KEY,
    digest TEXT NOT NULL,
    answer_id TEXT NOT NULL,
    issued_answer TEXT REFERENCES receipts (answer_id),
    anchored_at TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- Receipts on the ledger, and the requests that led there. A request without a receipt is pending.
  CREATE TABLE chain_anchors (
    receipt_id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL,
    blob_id TEXT NOT NULL,
    digest TEXT NOT NULL,
    claimed TEXT NOT NULL,
    issued INTEGER NOT NULL CHECK (issued IN (0, 1)),
    tx_digest TEXT NOT NULL,
    all_authorized INTEGER NOT NULL CHECK (all_authorized IN (0, 1)),
    ledger_version TEXT NOT NULL,
    anchored_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE chain_requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    agent_id TEXT NOT NULL,
    blob_id TEXT NOT NULL,
    digest TEXT NOT NULL,
    claimed TEXT NOT NULL,
    issued INTEGER NOT NULL CHECK (issued IN (0, 1)),
    requested_at TEXT NOT NULL,
    receipt_id TEXT REFERENCES chain_anchors (receipt_id)
  ) STRICT;
  CREATE UNIQUE INDEX chain_requests_pending ON chain_requests (digest, claimed) WHERE receipt_id IS NULL;

  -- Signed, and recorded before it was sent; open until its outcome is on record.
  CREATE TABLE transactions (
    tx_digest TEXT PRIMARY KEY,
    bytes BLOB NOT NULL,
    signature TEXT NOT NULL,
    requests TEXT NOT NULL,
    is_open INTEGER NOT NULL CHECK (is_open IN (0, 1))
  ) STRICT;
  CREATE INDEX transactions_open ON transactions (tx_digest) WHERE is_open = 1;

  -- The local ledger's history.
  CREATE TABLE ledger_log (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    tx_digest TEXT NOT NULL UNIQUE,
    bytes BLOB NOT NULL,
    signatures TEXT NOT NULL,
    timestamp_ms INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- How long the blob store keeps a blob, as of when it was last stored.
  CREATE TABLE blob_leases (
    blob_id TEXT PRIMARY KEY,
    end_epoch INTEGER NOT NULL,
    object_id TEXT,
    stored_at TEXT NOT NULL
  ) STRICT;
  `,
];
