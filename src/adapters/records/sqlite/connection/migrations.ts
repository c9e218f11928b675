// The schema, one migration for each version. Never edit a migration that was released: add the next one. `without_text`
// is a function of ours (open.ts).

import { ACTIVITY_MIGRATION } from "./activity-migration.ts";

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
  `
  CREATE INDEX memories_namespace ON memories (namespace);
  CREATE INDEX memories_source_agent ON memories (source_agent);

  -- What receipts are found by, in narrow rows: the receipts' own are long. namespaces is a JSON array.
  CREATE TABLE answers (
    answer_id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL,
    is_verified INTEGER NOT NULL CHECK (is_verified IN (0, 1)),
    namespaces TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX answers_agent ON answers (agent_id);

  CREATE TABLE answer_hours (
    hour TEXT PRIMARY KEY,
    answers INTEGER NOT NULL,
    used INTEGER NOT NULL,
    verified INTEGER NOT NULL,
    intact INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TEMP TABLE used AS
    SELECT answer_id, value ->> 'namespace' AS namespace, value ->> 'verified' IS 1 AS verified,
      value ->> 'intact' IS 1 AS intact
    FROM receipts, json_each(body, '$.usedMemories');
  CREATE INDEX temp.used_answer ON used (answer_id);
  INSERT INTO answers
    SELECT answer_id, agent_id,
      NOT EXISTS (SELECT 1 FROM used WHERE used.answer_id = receipts.answer_id AND NOT (verified AND intact)),
      (SELECT json_group_array(namespace) FROM (
        SELECT namespace FROM used WHERE used.answer_id = receipts.answer_id
        UNION
        SELECT value FROM json_each(body, '$.blockedNamespaces')))
    FROM receipts;
  INSERT INTO answer_hours
    SELECT substr(created_at, 1, 13), count(DISTINCT answer_id), count(used.answer_id), total(verified), total(intact)
    FROM receipts LEFT JOIN used USING (answer_id) GROUP BY 1;
  DROP TABLE used;

  CREATE INDEX anchors_issued ON anchors (issued_answer) WHERE issued_answer IS NOT NULL;
  CREATE INDEX chain_anchors_digest ON chain_anchors (digest);
  `,
  `
  CREATE INDEX memories_store_ref ON memories (store_ref);

  -- What must be the same in every process, and is so because the first to give a value decides.
  CREATE TABLE kept (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE memories ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1));
  CREATE INDEX memories_pinned ON memories (namespace) WHERE pinned = 1;

  -- Who pinned and unpinned which memory, and when. captured is the memory's sequence.
  CREATE TABLE pin_changes (
    sequence INTEGER PRIMARY KEY,
    captured INTEGER NOT NULL,
    namespace TEXT NOT NULL,
    pinned INTEGER NOT NULL CHECK (pinned IN (0, 1)),
    changed_by TEXT NOT NULL,
    changed_at TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- How many namespaces have memories, and how many leaves the policy has, so that no limit costs a count.
  CREATE TABLE totals (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL CHECK (value >= 0)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO totals SELECT 'namespaces', count(DISTINCT namespace) FROM memories;
  INSERT INTO totals SELECT 'leaves', count(*) FROM access;

  -- The hash chain over the change log. The first link is random, and belongs to the version at which the chain begins.
  CREATE TABLE policy_links (
    version INTEGER PRIMARY KEY,
    link TEXT NOT NULL
  ) STRICT;
  INSERT INTO policy_links SELECT value, lower(hex(randomblob(32))) FROM counters WHERE name = 'policy';

  -- Blocked namespaces that receipts do not list themselves, each list once.
  CREATE TABLE blocked_lists (
    id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE blocked_names (
    list INTEGER NOT NULL REFERENCES blocked_lists (id),
    namespace TEXT NOT NULL,
    PRIMARY KEY (list, namespace)
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE answers ADD COLUMN blocked_list INTEGER REFERENCES blocked_lists (id);

  -- The order of the change log's pages. A reset may change a hundred thousand leaves, and no page should sort them.
  CREATE INDEX access_changes_newest ON access_changes (version DESC, agent_id, namespace);
  `,
  `
  -- What each namespace holds, and the sequence of its last change. An empty one keeps its row, for indices that have
  -- not seen its last change.
  CREATE TABLE namespaces (
    name TEXT PRIMARY KEY,
    memories INTEGER NOT NULL,
    head INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX namespaces_head ON namespaces (head);
  CREATE INDEX forgotten_namespace ON forgotten (namespace);
  CREATE INDEX pin_changes_namespace ON pin_changes (namespace);
  INSERT INTO namespaces
    SELECT namespace, total(memories), max(sequence) FROM (
      SELECT namespace, count(*) AS memories, max(sequence) AS sequence FROM memories GROUP BY namespace
      UNION ALL
      SELECT namespace, 0, max(sequence) FROM forgotten GROUP BY namespace
      UNION ALL
      SELECT namespace, 0, max(sequence) FROM pin_changes GROUP BY namespace)
    GROUP BY namespace;

  CREATE TABLE source_agents (
    name TEXT PRIMARY KEY,
    memories INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO source_agents SELECT source_agent, count(*) FROM memories GROUP BY source_agent;
  CREATE INDEX source_agents_memories ON source_agents (memories DESC, name);
  `,
  `
  -- The snapshots of the recall index that were made of these records. The greatest number is the newest.
  CREATE TABLE index_snapshots (
    number INTEGER PRIMARY KEY,
    namespace TEXT NOT NULL,
    digest TEXT NOT NULL,
    UNIQUE (namespace, digest)
  ) STRICT;
  `,
  `
  -- Blobs that anyone may fetch in mock mode: receipts that were issued and anchored here, and the memories they name.
  CREATE TABLE published_blobs (
    blob_id TEXT PRIMARY KEY
  ) STRICT, WITHOUT ROWID;
  INSERT INTO published_blobs
    SELECT blob_id FROM anchors WHERE issued_answer IS NOT NULL
    UNION
    SELECT json_extract(used.value, '$.storeRef') FROM anchors, json_each(body, '$.usedMemories') AS used
      WHERE issued_answer IS NOT NULL;
  `,
  `
  -- Who may call: hashes of keys, and never keys. captures is a JSON array. The greatest number is the newest key.
  CREATE TABLE api_keys (
    number INTEGER PRIMARY KEY,
    key_id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    captures TEXT NOT NULL,
    created_at TEXT NOT NULL,
    created_by TEXT NOT NULL,
    expires_at TEXT,
    revoked_at TEXT,
    last_used_at TEXT,
    key_hash TEXT NOT NULL,
    previous_hash TEXT,
    previous_ends_at TEXT
  ) STRICT;
  CREATE INDEX api_keys_admin ON api_keys (number) WHERE role = 'admin';

  -- Sessions of the app: hashes of their ids. A session belongs to the secret that it was opened with.
  CREATE TABLE sessions (
    session_hash TEXT PRIMARY KEY,
    key_id TEXT NOT NULL REFERENCES api_keys (key_id),
    key_hash TEXT NOT NULL,
    created_at TEXT NOT NULL,
    ends_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_key ON sessions (key_id, created_at);
  CREATE INDEX sessions_end ON sessions (ends_at);
  `,
  `
  -- The same fact is captured once: its digest finds it.
  CREATE INDEX memories_content_digest ON memories (content_digest);

  -- Names in use. Names of a kind that have the same skeleton look alike. A new name takes place 0, so the key refuses
  -- it when another looks like it; those that were on record before have further places.
  CREATE TABLE names (
    kind TEXT NOT NULL CHECK (kind IN ('namespace', 'agent')),
    name TEXT NOT NULL,
    skeleton TEXT NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (kind, name),
    UNIQUE (kind, skeleton, place)
  ) STRICT, WITHOUT ROWID;
  -- The version that the skeletons are of. They are derived when it is another one, as it is now.
  CREATE TABLE skeletons (version TEXT NOT NULL) STRICT;
  INSERT INTO skeletons VALUES ('');

  -- Requests with an Idempotency-Key, for a day. Digests stand for key and body; outcome is NULL while in progress.
  CREATE TABLE idempotency_keys (
    id TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    holder TEXT NOT NULL,
    lease_end INTEGER NOT NULL,
    begun_at INTEGER NOT NULL,
    outcome TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotency_keys_begun ON idempotency_keys (begun_at);
  `,
  `
  -- The decision log, append-only. The lists of namespaces are kept with those of receipts.
  CREATE TABLE decisions (
    sequence INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    principal_id TEXT NOT NULL,
    principal_name TEXT NOT NULL,
    role TEXT NOT NULL,
    agent_id TEXT,
    route TEXT NOT NULL,
    policy_version INTEGER NOT NULL,
    allowed_list INTEGER REFERENCES blocked_lists (id),
    allowed_count INTEGER,
    blocked_list INTEGER REFERENCES blocked_lists (id),
    blocked_count INTEGER,
    outcome TEXT NOT NULL,
    answer_id TEXT,
    memory_id TEXT
  ) STRICT;
  CREATE INDEX decisions_at ON decisions (at);
  CREATE INDEX decisions_agent ON decisions (agent_id, at) WHERE agent_id IS NOT NULL;

  -- What happened, for listeners, kept for a day. No sequence is used twice, also when all events are forgotten.
  CREATE TABLE events (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- Receipts that are on record before their prompt leaves. A complete receipt takes the place of its opened one. The
  -- reason says why there is none.
  CREATE TABLE opened_receipts (
    answer_id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    namespaces TEXT NOT NULL,
    blocked_list INTEGER REFERENCES blocked_lists (id),
    body TEXT NOT NULL,
    reason TEXT
  ) STRICT;
  CREATE INDEX opened_receipts_agent ON opened_receipts (agent_id, answer_id);
  CREATE INDEX opened_receipts_open ON opened_receipts (created_at) WHERE reason IS NULL;

  -- Why an answer was broken off whose receipt was complete.
  ALTER TABLE answers ADD COLUMN reason TEXT;
  ALTER TABLE answer_hours ADD COLUMN broken_off INTEGER NOT NULL DEFAULT 0;

  CREATE VIEW listed_receipts AS
    SELECT answer_id, agent_id, is_verified, namespaces, blocked_list,
      CASE WHEN reason IS NULL THEN 'issued' ELSE 'broken-off' END AS status
    FROM answers
    UNION ALL
    SELECT answer_id, agent_id, NULL, namespaces, blocked_list,
      CASE WHEN reason IS NULL THEN 'opened' ELSE 'broken-off' END
    FROM opened_receipts;
  `,
  `
  -- What the hourly counts have of receipts that were pruned.
  CREATE TABLE pruned_hours (
    hour TEXT PRIMARY KEY,
    answers INTEGER NOT NULL,
    used INTEGER NOT NULL,
    verified INTEGER NOT NULL,
    intact INTEGER NOT NULL,
    broken_off INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- For the search of lists that nothing refers to any more.
  CREATE INDEX decisions_allowed_list ON decisions (allowed_list) WHERE allowed_list IS NOT NULL;
  CREATE INDEX decisions_blocked_list ON decisions (blocked_list) WHERE blocked_list IS NOT NULL;
  CREATE INDEX answers_blocked_list ON answers (blocked_list) WHERE blocked_list IS NOT NULL;
  CREATE INDEX opened_receipts_blocked_list ON opened_receipts (blocked_list) WHERE blocked_list IS NOT NULL;
  `,
  `
  -- What opens the private fields of a receipt. Receipts of the former format have none.
  ALTER TABLE receipts ADD COLUMN seed TEXT;
  ALTER TABLE opened_receipts ADD COLUMN seed TEXT;

  -- The keys that sign receipts. The private half is gone when a key has ended.
  CREATE TABLE signing_keys (
    key_id TEXT PRIMARY KEY,
    public_key BLOB NOT NULL,
    private_key BLOB,
    created_at TEXT NOT NULL,
    ended_at TEXT
  ) STRICT;
  `,
  `
  -- The facts of forgotten memories that receipts on record name: proofs still need them. last_named is
  -- the greatest id of these receipts.
  CREATE TABLE proof_facts (
    blob_id TEXT PRIMARY KEY,
    content TEXT NOT NULL,
    namespace TEXT NOT NULL,
    source_agent TEXT NOT NULL,
    last_named TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX proof_facts_last_named ON proof_facts (last_named);

  -- ends_at is when the lease ends at the earliest, if that is known. A store need not tell the end epoch.
  CREATE TABLE leases (
    blob_id TEXT PRIMARY KEY,
    end_epoch INTEGER,
    object_id TEXT,
    stored_at TEXT NOT NULL,
    ends_at TEXT,
    is_published INTEGER NOT NULL CHECK (is_published IN (0, 1))
  ) STRICT;
  INSERT INTO leases
    SELECT blob_id, end_epoch, object_id, stored_at, NULL,
      EXISTS (SELECT 1 FROM published_blobs WHERE published_blobs.blob_id = blob_leases.blob_id)
    FROM blob_leases;
  DROP TABLE blob_leases;
  ALTER TABLE leases RENAME TO blob_leases;
  CREATE INDEX blob_leases_published ON blob_leases (ends_at) WHERE is_published = 1 AND ends_at IS NOT NULL;
  `,
  `
  -- The version of the policy that claims are judged by; null is the newest one. Pending requests for receipts that were
  -- issued here get the version that the receipt names.
  ALTER TABLE chain_requests ADD COLUMN policy_version INTEGER;
  UPDATE chain_requests SET policy_version =
      (SELECT json_extract(body, '$.evidence.policyVersion') FROM anchors WHERE anchors.blob_id = chain_requests.blob_id)
    WHERE receipt_id IS NULL AND issued = 1;
  DROP INDEX chain_requests_pending;
  CREATE UNIQUE INDEX chain_requests_pending ON chain_requests (digest, claimed, coalesce(policy_version, -1))
    WHERE receipt_id IS NULL;

  -- The anchor of its blob says whether a receipt was issued here.
  ALTER TABLE chain_requests DROP COLUMN issued;
  ALTER TABLE chain_anchors DROP COLUMN issued;

  -- What was signed for the former version of the Move module is not sent any more. Its requests are pending again.
  UPDATE transactions SET is_open = 0;

  -- The greatest version of the policy that each gate on the ledger was told, and where the policy moved past its gate.
  CREATE TABLE gates (
    gate_id TEXT PRIMARY KEY,
    told INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE gate_moves (
    gate_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    after_version INTEGER NOT NULL,
    PRIMARY KEY (gate_id, version)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- The hash chain over the local ledger's history, and its last link. Rows of earlier versions have none.
  ALTER TABLE ledger_log ADD COLUMN link TEXT;
  CREATE TABLE ledger_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    sequence INTEGER NOT NULL,
    link TEXT
  ) STRICT;
  `,
  `
  INSERT INTO counters VALUES ('removal', 0);

  -- What a caller says of a memory beside its text. fact_hash finds the same fact again. Without a seal it is the digest.
  ALTER TABLE memories ADD COLUMN fact_key TEXT;
  ALTER TABLE memories ADD COLUMN expires_at TEXT;
  ALTER TABLE memories ADD COLUMN supersedes TEXT;
  ALTER TABLE memories ADD COLUMN seal_key_id TEXT;
  ALTER TABLE memories ADD COLUMN wrapped_key TEXT;
  ALTER TABLE memories ADD COLUMN fact_hash TEXT NOT NULL DEFAULT '';
  UPDATE memories SET fact_hash = content_digest;
  DROP INDEX memories_content_digest;
  CREATE INDEX memories_fact_hash ON memories (fact_hash);
  CREATE UNIQUE INDEX memories_fact_key ON memories (namespace, source_agent, fact_key) WHERE fact_key IS NOT NULL;
  CREATE INDEX memories_expires_at ON memories (expires_at) WHERE expires_at IS NOT NULL;

  -- History: memories whose place another one took. They are in no recall, list or count.
  CREATE TABLE superseded_memories (
    sequence INTEGER PRIMARY KEY,
    memory_id TEXT NOT NULL UNIQUE,
    store_ref TEXT NOT NULL,
    namespace TEXT NOT NULL,
    content TEXT NOT NULL,
    source_agent TEXT NOT NULL,
    created_at TEXT NOT NULL,
    content_digest TEXT NOT NULL,
    fact_key TEXT,
    expires_at TEXT,
    supersedes TEXT,
    seal_key_id TEXT,
    wrapped_key TEXT,
    fact_hash TEXT NOT NULL,
    superseded_by TEXT NOT NULL,
    superseded_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX superseded_memories_namespace ON superseded_memories (namespace);
  CREATE INDEX superseded_memories_source_agent ON superseded_memories (source_agent);
  CREATE INDEX superseded_memories_store_ref ON superseded_memories (store_ref);
  CREATE INDEX superseded_memories_expires_at ON superseded_memories (expires_at) WHERE expires_at IS NOT NULL;

  -- Removals. A row is a tombstone, unless its memory was only superseded. Rows of earlier versions have no id.
  ALTER TABLE forgotten ADD COLUMN memory_id TEXT;
  ALTER TABLE forgotten ADD COLUMN source_agent TEXT;
  ALTER TABLE forgotten ADD COLUMN cause TEXT;
  ALTER TABLE forgotten ADD COLUMN reason TEXT;
  ALTER TABLE forgotten ADD COLUMN removed_by TEXT;
  ALTER TABLE forgotten ADD COLUMN removed_at TEXT;
  CREATE INDEX forgotten_memory_id ON forgotten (memory_id) WHERE memory_id IS NOT NULL;

  ALTER TABLE namespaces ADD COLUMN description TEXT;
  ALTER TABLE namespaces ADD COLUMN retention_seconds INTEGER;
  ALTER TABLE namespaces ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0 CHECK (sealed IN (0, 1));
  -- Who sealed and unsealed which namespace, and when.
  CREATE TABLE seal_changes (
    sequence INTEGER PRIMARY KEY,
    namespace TEXT NOT NULL,
    sealed INTEGER NOT NULL CHECK (sealed IN (0, 1)),
    changed_by TEXT NOT NULL,
    changed_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX seal_changes_namespace ON seal_changes (namespace);

  -- Which answers were given which memory.
  CREATE TABLE memory_uses (
    memory_id TEXT NOT NULL,
    answer_id TEXT NOT NULL,
    PRIMARY KEY (memory_id, answer_id)
  ) STRICT, WITHOUT ROWID;
  INSERT OR IGNORE INTO memory_uses
    SELECT value ->> 'memoryId', answer_id FROM receipts, json_each(body, '$.usedMemories')
      WHERE value ->> 'memoryId' IS NOT NULL
    UNION ALL
    SELECT value ->> 'memoryId', answer_id FROM opened_receipts, json_each(body, '$.usedMemories')
      WHERE value ->> 'memoryId' IS NOT NULL;

  -- Receipts on record hold no text of memories any more, so that to forget a memory changes no receipt.
  UPDATE receipts SET body = without_text(body);
  UPDATE opened_receipts SET body = without_text(body);
  DROP TABLE proof_facts;
  `,
  `
  -- Which memories are sealed: counted by key, and by namespace to find open ones in sealed namespaces.
  CREATE INDEX memories_sealed ON memories (namespace, seal_key_id) WHERE seal_key_id IS NOT NULL;
  CREATE INDEX superseded_memories_sealed ON superseded_memories (seal_key_id) WHERE seal_key_id IS NOT NULL;
  `,
  `
  -- Receipts that another service issued, under its own policy, and that were imported with its export.
  CREATE TABLE imported_receipts (
    answer_id TEXT PRIMARY KEY
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Anchors are found by any of their ids, the oldest first.
  CREATE INDEX anchors_digest ON anchors (digest);
  DROP INDEX chain_anchors_digest;
  CREATE INDEX chain_anchors_digest ON chain_anchors (digest, anchored_at, receipt_id);
  CREATE INDEX chain_anchors_blob ON chain_anchors (blob_id, anchored_at, receipt_id);
  CREATE INDEX chain_anchors_transaction ON chain_anchors (tx_digest, anchored_at, receipt_id);
  `,
  ACTIVITY_MIGRATION,
  `
  -- The history of one agent's gates, or of one namespace's; and what became of one request.
  CREATE INDEX access_changes_agent ON access_changes (agent_id, version DESC, namespace);
  CREATE INDEX access_changes_namespace ON access_changes (namespace, version DESC, agent_id);
  ALTER TABLE decisions ADD COLUMN request_id TEXT;
  CREATE INDEX decisions_request ON decisions (request_id, agent_id) WHERE request_id IS NOT NULL;
  `,
];
