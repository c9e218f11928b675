// The schema, one migration for each version. Never edit a migration that was released: add the next one.
//
// All text sorts by its bytes (COLLATE "C"), so that pages and policies have the same order in every database.

import { ACTIVITY_MIGRATION } from "./activity-migration.ts";

/** After it, receipts on record still hold text of memories (receipt-texts.ts). */
export const LIFE_OF_MEMORIES = `
  INSERT INTO counters VALUES ('removal', 0);

  -- What a caller says of a memory beside its text. fact_hash finds the same fact again. Without a seal it is the digest.
  ALTER TABLE memories ADD COLUMN fact_key text COLLATE "C";
  ALTER TABLE memories ADD COLUMN expires_at text COLLATE "C";
  ALTER TABLE memories ADD COLUMN supersedes text COLLATE "C";
  ALTER TABLE memories ADD COLUMN seal_key_id text COLLATE "C";
  ALTER TABLE memories ADD COLUMN wrapped_key text COLLATE "C";
  ALTER TABLE memories ADD COLUMN fact_hash text COLLATE "C" NOT NULL DEFAULT '';
  UPDATE memories SET fact_hash = content_digest;
  DROP INDEX memories_content_digest;
  CREATE INDEX memories_fact_hash ON memories (fact_hash);
  CREATE UNIQUE INDEX memories_fact_key ON memories (namespace, source_agent, fact_key) WHERE fact_key IS NOT NULL;
  CREATE INDEX memories_expires_at ON memories (expires_at) WHERE expires_at IS NOT NULL;

  -- History: memories whose place another one took. They are in no recall, list or count.
  CREATE TABLE superseded_memories (
    sequence bigint PRIMARY KEY,
    memory_id text COLLATE "C" NOT NULL UNIQUE,
    store_ref text COLLATE "C" NOT NULL,
    namespace text COLLATE "C" NOT NULL,
    content text COLLATE "C" NOT NULL,
    source_agent text COLLATE "C" NOT NULL,
    created_at text COLLATE "C" NOT NULL,
    content_digest text COLLATE "C" NOT NULL,
    fact_key text COLLATE "C",
    expires_at text COLLATE "C",
    supersedes text COLLATE "C",
    seal_key_id text COLLATE "C",
    wrapped_key text COLLATE "C",
    fact_hash text COLLATE "C" NOT NULL,
    superseded_by text COLLATE "C" NOT NULL,
    superseded_at text COLLATE "C" NOT NULL
  );
  CREATE INDEX superseded_memories_namespace ON superseded_memories (namespace, sequence);
  CREATE INDEX superseded_memories_source_agent ON superseded_memories (source_agent, sequence);
  CREATE INDEX superseded_memories_store_ref ON superseded_memories (store_ref);
  CREATE INDEX superseded_memories_expires_at ON superseded_memories (expires_at) WHERE expires_at IS NOT NULL;

  -- Removals. A row is a tombstone, unless its memory was only superseded. Rows of earlier versions have no id.
  ALTER TABLE forgotten ADD COLUMN memory_id text COLLATE "C";
  ALTER TABLE forgotten ADD COLUMN source_agent text COLLATE "C";
  ALTER TABLE forgotten ADD COLUMN cause text COLLATE "C";
  ALTER TABLE forgotten ADD COLUMN reason text COLLATE "C";
  ALTER TABLE forgotten ADD COLUMN removed_by text COLLATE "C";
  ALTER TABLE forgotten ADD COLUMN removed_at text COLLATE "C";
  CREATE INDEX forgotten_memory_id ON forgotten (memory_id) WHERE memory_id IS NOT NULL;

  ALTER TABLE namespaces ADD COLUMN description text COLLATE "C";
  ALTER TABLE namespaces ADD COLUMN retention_seconds bigint;
  ALTER TABLE namespaces ADD COLUMN sealed boolean NOT NULL DEFAULT false;
  -- Who sealed and unsealed which namespace, and when.
  CREATE TABLE seal_changes (
    sequence bigint PRIMARY KEY,
    namespace text COLLATE "C" NOT NULL,
    sealed boolean NOT NULL,
    changed_by text COLLATE "C" NOT NULL,
    changed_at text COLLATE "C" NOT NULL
  );
  CREATE INDEX seal_changes_namespace ON seal_changes (namespace);

  -- Which answers were given which memory.
  CREATE TABLE memory_uses (
    memory_id text COLLATE "C" NOT NULL,
    answer_id text COLLATE "C" NOT NULL,
    PRIMARY KEY (memory_id, answer_id)
  );
  CREATE INDEX memory_uses_answer ON memory_uses (answer_id);
  INSERT INTO memory_uses
    SELECT used ->> 'memoryId', answer_id
    FROM (SELECT answer_id, body FROM receipts UNION ALL SELECT answer_id, body FROM opened_receipts) AS naming,
      json_array_elements(body::json -> 'usedMemories') AS used
    WHERE used ->> 'memoryId' IS NOT NULL
    ON CONFLICT DO NOTHING;

  DROP TABLE proof_facts;
  `;

/** Before it, the statistics of the database may hold text of memories. */
export const NO_SAMPLES_OF_TEXTS = `
  -- No samples of what callers wrote: ANALYZE would keep them when the memory is forgotten. A change of the type, also to
  -- the same one, drops the samples that there are.
  ALTER TABLE memories
    ALTER COLUMN content TYPE text COLLATE "C", ALTER COLUMN content SET STATISTICS 0,
    ALTER COLUMN fact_key TYPE text COLLATE "C", ALTER COLUMN fact_key SET STATISTICS 0;
  ALTER TABLE superseded_memories
    ALTER COLUMN content TYPE text COLLATE "C", ALTER COLUMN content SET STATISTICS 0,
    ALTER COLUMN fact_key TYPE text COLLATE "C", ALTER COLUMN fact_key SET STATISTICS 0;
  ALTER TABLE receipts ALTER COLUMN body TYPE text COLLATE "C", ALTER COLUMN body SET STATISTICS 0;
  ALTER TABLE opened_receipts ALTER COLUMN body TYPE text COLLATE "C", ALTER COLUMN body SET STATISTICS 0;
  `;

export const MIGRATIONS: readonly string[] = [
  `
  -- Numbers that only grow. A writer holds the row until it commits, so their order is the order of commits.
  CREATE TABLE counters (
    name text COLLATE "C" PRIMARY KEY,
    value bigint NOT NULL
  ) WITH (fillfactor = 20);
  INSERT INTO counters VALUES ('memory', 0), ('policy', 0);

  CREATE TABLE memories (
    sequence bigint PRIMARY KEY,
    memory_id text COLLATE "C" NOT NULL UNIQUE,
    store_ref text COLLATE "C" NOT NULL,
    namespace text COLLATE "C" NOT NULL,
    content text COLLATE "C" NOT NULL,
    source_agent text COLLATE "C" NOT NULL,
    created_at text COLLATE "C" NOT NULL,
    content_digest text COLLATE "C" NOT NULL
  );
  CREATE INDEX memories_namespace ON memories (namespace, sequence);
  CREATE INDEX memories_source_agent ON memories (source_agent, sequence);

  -- What is left of a forgotten memory: that it is gone, for indices that still have it.
  CREATE TABLE forgotten (
    sequence bigint PRIMARY KEY,
    captured bigint NOT NULL,
    namespace text COLLATE "C" NOT NULL
  );

  CREATE TABLE access (
    agent_id text COLLATE "C" NOT NULL,
    namespace text COLLATE "C" NOT NULL,
    allowed boolean NOT NULL,
    PRIMARY KEY (agent_id, namespace)
  );

  CREATE TABLE access_changes (
    version bigint NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    namespace text COLLATE "C" NOT NULL,
    was boolean,
    became boolean,
    changed_by text COLLATE "C" NOT NULL,
    changed_at text COLLATE "C" NOT NULL,
    PRIMARY KEY (version, agent_id, namespace)
  );

  CREATE TABLE receipts (
    answer_id text COLLATE "C" PRIMARY KEY,
    agent_id text COLLATE "C" NOT NULL,
    created_at text COLLATE "C" NOT NULL,
    body text COLLATE "C" NOT NULL
  );

  -- What receipts are found by, in narrow rows: the receipts' own are long.
  CREATE TABLE answers (
    answer_id text COLLATE "C" PRIMARY KEY,
    agent_id text COLLATE "C" NOT NULL,
    is_verified boolean NOT NULL,
    namespaces text[] COLLATE "C" NOT NULL
  );
  CREATE INDEX answers_agent ON answers (agent_id, answer_id);

  -- Each process counts in a part of its own, mostly: otherwise all would wait for one row.
  CREATE TABLE answer_hours (
    hour text COLLATE "C" NOT NULL,
    part integer NOT NULL,
    answers bigint NOT NULL,
    used bigint NOT NULL,
    verified bigint NOT NULL,
    intact bigint NOT NULL,
    PRIMARY KEY (hour, part)
  );

  -- issued_answer names the receipt that was issued here, word for word; NULL for one that was not.
  CREATE TABLE anchors (
    blob_id text COLLATE "C" PRIMARY KEY,
    digest text COLLATE "C" NOT NULL,
    answer_id text COLLATE "C" NOT NULL,
    issued_answer text COLLATE "C" REFERENCES receipts (answer_id),
    anchored_at text COLLATE "C" NOT NULL,
    body text COLLATE "C" NOT NULL
  );
  CREATE INDEX anchors_issued ON anchors (issued_answer) WHERE issued_answer IS NOT NULL;

  -- Receipts on the ledger, and the requests that led there. A request without a receipt is pending.
  CREATE TABLE chain_anchors (
    receipt_id text COLLATE "C" PRIMARY KEY,
    agent_id text COLLATE "C" NOT NULL,
    blob_id text COLLATE "C" NOT NULL,
    digest text COLLATE "C" NOT NULL,
    claimed text COLLATE "C" NOT NULL,
    issued boolean NOT NULL,
    tx_digest text COLLATE "C" NOT NULL,
    all_authorized boolean NOT NULL,
    ledger_version text COLLATE "C" NOT NULL,
    anchored_at text COLLATE "C" NOT NULL
  );
  CREATE INDEX chain_anchors_digest ON chain_anchors (digest);

  -- claims_digest stands for claimed in the index, whose entries have room for some 2,700 bytes only.
  CREATE TABLE chain_requests (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    agent_id text COLLATE "C" NOT NULL,
    blob_id text COLLATE "C" NOT NULL,
    digest text COLLATE "C" NOT NULL,
    claimed text COLLATE "C" NOT NULL,
    claims_digest text COLLATE "C" NOT NULL,
    issued boolean NOT NULL,
    requested_at text COLLATE "C" NOT NULL,
    receipt_id text COLLATE "C" REFERENCES chain_anchors (receipt_id)
  );
  CREATE UNIQUE INDEX chain_requests_pending ON chain_requests (digest, claims_digest) WHERE receipt_id IS NULL;

  -- Signed, and recorded before it was sent; open until its outcome is on record.
  CREATE TABLE transactions (
    place bigint GENERATED ALWAYS AS IDENTITY,
    tx_digest text COLLATE "C" PRIMARY KEY,
    bytes bytea NOT NULL,
    signature text COLLATE "C" NOT NULL,
    requests text COLLATE "C" NOT NULL,
    is_open boolean NOT NULL
  );
  CREATE INDEX transactions_open ON transactions (place) WHERE is_open;

  -- The local ledger's history.
  CREATE TABLE ledger_log (
    sequence bigint PRIMARY KEY,
    tx_digest text COLLATE "C" NOT NULL UNIQUE,
    bytes bytea NOT NULL,
    signatures text COLLATE "C" NOT NULL,
    timestamp_ms bigint NOT NULL
  );

  -- How long the blob store keeps a blob, as of when it was last stored.
  CREATE TABLE blob_leases (
    blob_id text COLLATE "C" PRIMARY KEY,
    end_epoch bigint NOT NULL,
    object_id text COLLATE "C",
    stored_at text COLLATE "C" NOT NULL
  );
  `,
  `
  CREATE INDEX memories_store_ref ON memories (store_ref);

  -- Two signed transactions could use the same coin. So the second is not recorded, and not sent, while one is open.
  CREATE UNIQUE INDEX transactions_one_open ON transactions (is_open) WHERE is_open;

  -- What must be the same in every process, and is so because the first to give a value decides.
  CREATE TABLE kept (
    name text COLLATE "C" PRIMARY KEY,
    value bytea NOT NULL
  );
  `,
  `
  ALTER TABLE memories ADD COLUMN pinned boolean NOT NULL DEFAULT false;
  CREATE INDEX memories_pinned ON memories (namespace) WHERE pinned;

  -- Who pinned and unpinned which memory, and when. captured is the memory's sequence.
  CREATE TABLE pin_changes (
    sequence bigint PRIMARY KEY,
    captured bigint NOT NULL,
    namespace text COLLATE "C" NOT NULL,
    pinned boolean NOT NULL,
    changed_by text COLLATE "C" NOT NULL,
    changed_at text COLLATE "C" NOT NULL
  );
  `,
  `
  -- How many namespaces have memories, and how many leaves the policy has, so that no limit costs a count. A transaction
  -- that would exceed a limit sets the column most to it, and fails.
  CREATE TABLE totals (
    name text COLLATE "C" PRIMARY KEY,
    value bigint NOT NULL CHECK (value >= 0),
    most bigint NOT NULL DEFAULT 9223372036854775807,
    CONSTRAINT limit_reached CHECK (value <= most)
  ) WITH (fillfactor = 20);
  INSERT INTO totals SELECT 'namespaces', count(DISTINCT namespace) FROM memories;
  INSERT INTO totals SELECT 'leaves', count(*) FROM access;

  -- The hash chain over the change log. The first link is random, and belongs to the version at which the chain begins.
  CREATE TABLE policy_links (
    version bigint PRIMARY KEY,
    link text COLLATE "C" NOT NULL
  );
  INSERT INTO policy_links
    SELECT value, encode(sha256(convert_to(concat(gen_random_uuid(), gen_random_uuid(), gen_random_uuid()), 'UTF8')), 'hex')
    FROM counters WHERE name = 'policy';

  -- Blocked namespaces that receipts do not list themselves, each list once. One statement records a list with all its
  -- names, so no foreign key has to look it up ten thousand times.
  CREATE TABLE blocked_lists (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    digest text COLLATE "C" NOT NULL UNIQUE
  );
  CREATE TABLE blocked_names (
    list bigint NOT NULL,
    namespace text COLLATE "C" NOT NULL,
    PRIMARY KEY (list, namespace)
  );
  ALTER TABLE answers ADD COLUMN blocked_list bigint REFERENCES blocked_lists (id);

  -- The order of the change log's pages. A reset may change a hundred thousand leaves, and no page should sort them.
  CREATE INDEX access_changes_newest ON access_changes (version DESC, agent_id, namespace);
  `,
  `
  -- What each namespace holds, and the sequence of its last change. An empty one keeps its row, for indices that have
  -- not seen its last change. Writers hold the counter's row, so none waits for another here.
  CREATE TABLE namespaces (
    name text COLLATE "C" PRIMARY KEY,
    memories bigint NOT NULL,
    head bigint NOT NULL
  ) WITH (fillfactor = 50);
  CREATE INDEX namespaces_head ON namespaces (head);
  CREATE INDEX forgotten_namespace ON forgotten (namespace, sequence);
  CREATE INDEX pin_changes_namespace ON pin_changes (namespace, sequence);
  INSERT INTO namespaces
    SELECT namespace, sum(memories), max(sequence) FROM (
      SELECT namespace, count(*) AS memories, max(sequence) AS sequence FROM memories GROUP BY namespace
      UNION ALL
      SELECT namespace, 0, max(sequence) FROM forgotten GROUP BY namespace
      UNION ALL
      SELECT namespace, 0, max(sequence) FROM pin_changes GROUP BY namespace) AS found
    GROUP BY namespace;

  CREATE TABLE source_agents (
    name text COLLATE "C" PRIMARY KEY,
    memories bigint NOT NULL
  ) WITH (fillfactor = 50);
  INSERT INTO source_agents SELECT source_agent, count(*) FROM memories GROUP BY source_agent;
  CREATE INDEX source_agents_memories ON source_agents (memories DESC, name);
  `,
  `
  -- The snapshots of the recall index that were made of these records. The greatest number is the newest.
  CREATE TABLE index_snapshots (
    number bigint GENERATED ALWAYS AS IDENTITY,
    namespace text COLLATE "C" NOT NULL,
    digest text COLLATE "C" NOT NULL,
    PRIMARY KEY (namespace, digest)
  );
  `,
  `
  -- Blobs that anyone may fetch in mock mode: receipts that were issued and anchored here, and the memories they name.
  CREATE TABLE published_blobs (
    blob_id text COLLATE "C" PRIMARY KEY
  );
  INSERT INTO published_blobs
    SELECT blob_id FROM anchors WHERE issued_answer IS NOT NULL
    UNION
    SELECT used ->> 'storeRef' FROM anchors, jsonb_array_elements(body::jsonb -> 'usedMemories') AS used
      WHERE issued_answer IS NOT NULL;
  `,
  `
  -- Who may call: hashes of keys, and never keys. captures is a JSON array. The greatest number is the newest key.
  CREATE TABLE api_keys (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key_id text COLLATE "C" NOT NULL UNIQUE,
    name text COLLATE "C" NOT NULL,
    role text COLLATE "C" NOT NULL,
    captures text COLLATE "C" NOT NULL,
    created_at text COLLATE "C" NOT NULL,
    created_by text COLLATE "C" NOT NULL,
    expires_at text COLLATE "C",
    revoked_at text COLLATE "C",
    last_used_at text COLLATE "C",
    key_hash text COLLATE "C" NOT NULL,
    previous_hash text COLLATE "C",
    previous_ends_at text COLLATE "C"
  ) WITH (fillfactor = 50);
  CREATE INDEX api_keys_admin ON api_keys (number) WHERE role = 'admin';

  -- Sessions of the app: hashes of their ids. A session belongs to the secret that it was opened with.
  CREATE TABLE sessions (
    session_hash text COLLATE "C" PRIMARY KEY,
    key_id text COLLATE "C" NOT NULL REFERENCES api_keys (key_id),
    key_hash text COLLATE "C" NOT NULL,
    created_at text COLLATE "C" NOT NULL,
    ends_at text COLLATE "C" NOT NULL
  );
  CREATE INDEX sessions_key ON sessions (key_id, created_at);
  CREATE INDEX sessions_end ON sessions (ends_at);
  `,
  `
  -- The same fact is captured once: its digest finds it.
  CREATE INDEX memories_content_digest ON memories (content_digest);

  -- Names in use. Names of a kind that have the same skeleton look alike. A new name takes place 0, so the key refuses
  -- it when another looks like it; those that were on record before have further places.
  CREATE TABLE names (
    kind text COLLATE "C" NOT NULL CHECK (kind IN ('namespace', 'agent')),
    name text COLLATE "C" NOT NULL,
    skeleton text COLLATE "C" NOT NULL,
    place integer NOT NULL,
    PRIMARY KEY (kind, name),
    CONSTRAINT names_alike UNIQUE (kind, skeleton, place)
  );
  -- The version that the skeletons are of. They are derived when it is another one, as it is now.
  CREATE TABLE skeletons (version text COLLATE "C" NOT NULL);
  INSERT INTO skeletons VALUES ('');

  -- Requests with an Idempotency-Key, for a day. Digests stand for key and body; outcome is NULL while in progress.
  CREATE TABLE idempotency_keys (
    id text COLLATE "C" PRIMARY KEY,
    request text COLLATE "C" NOT NULL,
    holder text COLLATE "C" NOT NULL,
    lease_end bigint NOT NULL,
    begun_at bigint NOT NULL,
    outcome text COLLATE "C"
  );
  CREATE INDEX idempotency_keys_begun ON idempotency_keys (begun_at);
  `,
  `
  -- The decision log, append-only. The lists of namespaces are kept with those of receipts.
  CREATE TABLE decisions (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at text COLLATE "C" NOT NULL,
    principal_id text COLLATE "C" NOT NULL,
    principal_name text COLLATE "C" NOT NULL,
    role text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C",
    route text COLLATE "C" NOT NULL,
    policy_version bigint NOT NULL,
    allowed_list bigint REFERENCES blocked_lists (id),
    allowed_count bigint,
    blocked_list bigint REFERENCES blocked_lists (id),
    blocked_count bigint,
    outcome text COLLATE "C" NOT NULL,
    answer_id text COLLATE "C",
    memory_id text COLLATE "C"
  );
  CREATE INDEX decisions_at ON decisions (at, sequence);
  CREATE INDEX decisions_agent ON decisions (agent_id, at, sequence);

  -- What happened, for listeners, kept for a day. The counter numbers the events in the order of commits.
  INSERT INTO counters VALUES ('event', 0);
  CREATE TABLE events (
    sequence bigint PRIMARY KEY,
    at text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    data text COLLATE "C" NOT NULL
  );
  `,
  `
  -- What callers have used of their quotas. The library that counts has its own names, and writes the columns in this
  -- order. Unlogged: a count need not survive a crash of the server, and so costs no write to disk.
  CREATE UNLOGGED TABLE rate_limits (
    key text COLLATE "C" PRIMARY KEY,
    points integer NOT NULL,
    expire bigint
  ) WITH (fillfactor = 50);
  `,
  `
  -- Receipts that are on record before their prompt leaves. A complete receipt takes the place of its opened one. The
  -- reason says why there is none.
  CREATE TABLE opened_receipts (
    answer_id text COLLATE "C" PRIMARY KEY,
    agent_id text COLLATE "C" NOT NULL,
    created_at text COLLATE "C" NOT NULL,
    namespaces text[] COLLATE "C" NOT NULL,
    blocked_list bigint REFERENCES blocked_lists (id),
    body text COLLATE "C" NOT NULL,
    reason text COLLATE "C"
  );
  CREATE INDEX opened_receipts_agent ON opened_receipts (agent_id, answer_id);
  CREATE INDEX opened_receipts_open ON opened_receipts (created_at) WHERE reason IS NULL;

  -- Why an answer was broken off whose receipt was complete.
  ALTER TABLE answers ADD COLUMN reason text COLLATE "C";
  ALTER TABLE answer_hours ADD COLUMN broken_off bigint NOT NULL DEFAULT 0;

  CREATE VIEW listed_receipts AS
    SELECT answer_id, agent_id, is_verified, namespaces, blocked_list,
      CASE WHEN reason IS NULL THEN 'issued' ELSE 'broken-off' END AS status
    FROM answers
    UNION ALL
    SELECT answer_id, agent_id, NULL::boolean, namespaces, blocked_list,
      CASE WHEN reason IS NULL THEN 'opened' ELSE 'broken-off' END
    FROM opened_receipts;
  `,
  `
  -- The database sessions that pass the fence. A row whose session is gone tells that the session was lost.
  CREATE TABLE fence_sessions (
    id integer GENERATED ALWAYS AS IDENTITY (CYCLE) PRIMARY KEY,
    begun_at timestamptz NOT NULL DEFAULT now()
  );
  `,
  `
  -- What the hourly counts have of receipts that were pruned.
  CREATE TABLE pruned_hours (
    hour text COLLATE "C" PRIMARY KEY,
    answers bigint NOT NULL,
    used bigint NOT NULL,
    verified bigint NOT NULL,
    intact bigint NOT NULL,
    broken_off bigint NOT NULL
  );

  -- Lists that nothing refers to any more are found, marked, and removed later.
  ALTER TABLE blocked_lists ADD COLUMN unused_since text COLLATE "C";
  CREATE INDEX decisions_allowed_list ON decisions (allowed_list) WHERE allowed_list IS NOT NULL;
  CREATE INDEX decisions_blocked_list ON decisions (blocked_list) WHERE blocked_list IS NOT NULL;
  CREATE INDEX answers_blocked_list ON answers (blocked_list) WHERE blocked_list IS NOT NULL;
  CREATE INDEX opened_receipts_blocked_list ON opened_receipts (blocked_list) WHERE blocked_list IS NOT NULL;
  `,
  `
  -- What opens the private fields of a receipt. Receipts of the former format have none.
  ALTER TABLE receipts ADD COLUMN seed text COLLATE "C";
  ALTER TABLE opened_receipts ADD COLUMN seed text COLLATE "C";

  -- The keys that sign receipts. The private half is gone when a key has ended.
  CREATE TABLE signing_keys (
    key_id text COLLATE "C" PRIMARY KEY,
    public_key bytea NOT NULL,
    private_key bytea,
    created_at text COLLATE "C" NOT NULL,
    ended_at text COLLATE "C"
  );
  `,
  `
  -- The facts of forgotten memories that receipts on record name: proofs still need them. last_named is
  -- the greatest id of these receipts.
  CREATE TABLE proof_facts (
    blob_id text COLLATE "C" PRIMARY KEY,
    content text COLLATE "C" NOT NULL,
    namespace text COLLATE "C" NOT NULL,
    source_agent text COLLATE "C" NOT NULL,
    last_named text COLLATE "C" NOT NULL
  );
  CREATE INDEX proof_facts_last_named ON proof_facts (last_named);

  -- ends_at is when the lease ends at the earliest, if that is known. A store need not tell the end epoch.
  ALTER TABLE blob_leases ALTER COLUMN end_epoch DROP NOT NULL;
  ALTER TABLE blob_leases ADD COLUMN ends_at text COLLATE "C";
  ALTER TABLE blob_leases ADD COLUMN is_published boolean NOT NULL DEFAULT false;
  UPDATE blob_leases SET is_published = true WHERE blob_id IN (SELECT blob_id FROM published_blobs);
  CREATE INDEX blob_leases_published ON blob_leases (ends_at) WHERE is_published AND ends_at IS NOT NULL;
  `,
  `
  -- The version of the policy that claims are judged by; null is the newest one. Pending requests for receipts that were
  -- issued here get the version that the receipt names.
  ALTER TABLE chain_requests ADD COLUMN policy_version bigint;
  UPDATE chain_requests SET policy_version = (body::json -> 'evidence' ->> 'policyVersion')::bigint
    FROM anchors WHERE anchors.blob_id = chain_requests.blob_id AND receipt_id IS NULL AND issued;
  DROP INDEX chain_requests_pending;
  CREATE UNIQUE INDEX chain_requests_pending ON chain_requests (digest, claims_digest, coalesce(policy_version, -1))
    WHERE receipt_id IS NULL;

  -- The anchor of its blob says whether a receipt was issued here.
  ALTER TABLE chain_requests DROP COLUMN issued;
  ALTER TABLE chain_anchors DROP COLUMN issued;

  -- What was signed for the former version of the Move module is not sent any more. Its requests are pending again.
  UPDATE transactions SET is_open = false;

  -- The greatest version of the policy that each gate on the ledger was told, and where the policy moved past its gate.
  CREATE TABLE gates (
    gate_id text COLLATE "C" PRIMARY KEY,
    told bigint NOT NULL
  );
  CREATE TABLE gate_moves (
    gate_id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    after_version bigint NOT NULL,
    PRIMARY KEY (gate_id, version)
  );
  `,
  `
  -- The hash chain over the local ledger's history, and its last link. Rows of earlier versions have none.
  ALTER TABLE ledger_log ADD COLUMN link text COLLATE "C";
  CREATE TABLE ledger_head (
    id integer PRIMARY KEY CHECK (id = 1),
    sequence bigint NOT NULL,
    link text COLLATE "C"
  );
  `,
  LIFE_OF_MEMORIES,
  `
  -- Which memories are sealed: counted by key, and by namespace to find open ones in sealed namespaces.
  CREATE INDEX memories_sealed ON memories (namespace, seal_key_id) WHERE seal_key_id IS NOT NULL;
  CREATE INDEX superseded_memories_sealed ON superseded_memories (seal_key_id) WHERE seal_key_id IS NOT NULL;
  `,
  `
  -- Receipts that another service issued, under its own policy, and that were imported with its export.
  CREATE TABLE imported_receipts (
    answer_id text COLLATE "C" PRIMARY KEY
  );
  `,
  NO_SAMPLES_OF_TEXTS,
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
  ALTER TABLE decisions ADD COLUMN request_id text COLLATE "C";
  CREATE INDEX decisions_request ON decisions (request_id, agent_id) WHERE request_id IS NOT NULL;
  `,
];
