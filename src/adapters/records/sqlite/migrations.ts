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
    digest TEXT NOT NULL,
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
];
