// Memories, the namespaces and names that they have, what became of them, and their blobs.
import type { SchemaDialect } from "./dialect.ts";

export function memoryTables(dialect: SchemaDialect): string {
  const { text, integer, newKey, flag, bySequence, rows, clustered, free, postgres } = dialect;
  // What a caller says of a memory, and what the service adds. fact_hash finds the same fact again: of an unencrypted one it is
  // the digest.
  const memory = `
    sequence ${integer} PRIMARY KEY,
    memory_id ${text} NOT NULL UNIQUE,
    store_ref ${text} NOT NULL,
    namespace ${text} NOT NULL,
    content ${text} NOT NULL,
    source_agent ${text} NOT NULL,
    created_at ${text} NOT NULL,
    content_digest ${text} NOT NULL,
    fact_key ${text},
    expires_at ${text},
    supersedes ${text},
    encryption_key_id ${text},
    wrapped_key ${text},
    fact_hash ${text} NOT NULL`;

  return `
  CREATE TABLE memories (${memory},
    ${flag("pinned")} NOT NULL DEFAULT false
  ) ${rows};
  CREATE INDEX memories_namespace ON memories (namespace${bySequence});
  CREATE INDEX memories_source_agent ON memories (source_agent${bySequence});
  CREATE INDEX memories_store_ref ON memories (store_ref);
  CREATE INDEX memories_pinned ON memories (namespace) WHERE pinned;
  CREATE INDEX memories_fact_hash ON memories (fact_hash);
  CREATE UNIQUE INDEX memories_fact_key ON memories (namespace, source_agent, fact_key) WHERE fact_key IS NOT NULL;
  CREATE INDEX memories_expires_at ON memories (expires_at) WHERE expires_at IS NOT NULL;
  -- Which memories are encrypted: counted by key, and by namespace to find unencrypted ones in encrypted namespaces.
  CREATE INDEX memories_encrypted ON memories (namespace, encryption_key_id) WHERE encryption_key_id IS NOT NULL;

  -- History: memories whose place another one took. They are in no recall, list or count.
  CREATE TABLE superseded_memories (${memory},
    superseded_by ${text} NOT NULL,
    superseded_at ${text} NOT NULL
  ) ${rows};
  CREATE INDEX superseded_memories_namespace ON superseded_memories (namespace${bySequence});
  CREATE INDEX superseded_memories_source_agent ON superseded_memories (source_agent${bySequence});
  CREATE INDEX superseded_memories_store_ref ON superseded_memories (store_ref);
  CREATE INDEX superseded_memories_expires_at ON superseded_memories (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX superseded_memories_encrypted ON superseded_memories (encryption_key_id) WHERE encryption_key_id IS NOT NULL;

  -- Removals. A row is a tombstone, unless its memory was only superseded. captured is the memory's sequence.
  CREATE TABLE forgotten (
    sequence ${integer} PRIMARY KEY,
    captured ${integer} NOT NULL,
    namespace ${text} NOT NULL,
    memory_id ${text} NOT NULL,
    source_agent ${text} NOT NULL,
    cause ${text} NOT NULL,
    reason ${text},
    removed_by ${text} NOT NULL,
    removed_at ${text} NOT NULL,
    digest ${text} NOT NULL DEFAULT ''
  ) ${rows};
  CREATE INDEX forgotten_namespace ON forgotten (namespace${bySequence});
  CREATE INDEX forgotten_memory_id ON forgotten (memory_id);

  -- Who pinned and unpinned which memory, and when.
  CREATE TABLE pin_changes (
    sequence ${integer} PRIMARY KEY,
    captured ${integer} NOT NULL,
    namespace ${text} NOT NULL,
    ${flag("pinned")} NOT NULL,
    changed_by ${text} NOT NULL,
    changed_at ${text} NOT NULL,
    digest ${text} NOT NULL DEFAULT ''
  ) ${rows};
  CREATE INDEX pin_changes_namespace ON pin_changes (namespace${bySequence});

  -- Who encrypted and unencrypted which namespace, and when.
  CREATE TABLE encryption_changes (
    sequence ${integer} PRIMARY KEY,
    namespace ${text} NOT NULL,
    ${flag("encrypted")} NOT NULL,
    changed_by ${text} NOT NULL,
    changed_at ${text} NOT NULL,
    digest ${text} NOT NULL DEFAULT ''
  ) ${rows};
  CREATE INDEX encryption_changes_namespace ON encryption_changes (namespace);

  -- What each namespace holds, its settings, and the sequence of its last change. An empty one keeps its row, for indices
  -- that have not seen its last change.
  CREATE TABLE namespaces (
    name ${text} PRIMARY KEY,
    memories ${integer} NOT NULL,
    head ${integer} NOT NULL,
    description ${text},
    retention_seconds ${integer},
    ${flag("encrypted")} NOT NULL DEFAULT false
  ) ${free(50, clustered)};
  CREATE INDEX namespaces_head ON namespaces (head);

  CREATE TABLE source_agents (
    name ${text} PRIMARY KEY,
    memories ${integer} NOT NULL
  ) ${free(50, clustered)};
  CREATE INDEX source_agents_memories ON source_agents (memories DESC, name);

  -- Names in use. Names of a kind that have the same skeleton look alike. A new name takes place 0, so the key refuses
  -- it when another looks like it. Those that look alike only since a later version of Unicode have further places.
  CREATE TABLE names (
    kind ${text} NOT NULL CHECK (kind IN ('namespace', 'agent')),
    name ${text} NOT NULL,
    skeleton ${text} NOT NULL,
    place ${integer} NOT NULL,
    PRIMARY KEY (kind, name),
    CONSTRAINT names_alike UNIQUE (kind, skeleton, place)
  ) ${clustered};
  -- The version that the skeletons are of. They are derived when it is another one, as it is now.
  CREATE TABLE skeletons (version ${text} NOT NULL) ${rows};
  INSERT INTO skeletons VALUES ('');

  -- Which answers were given which memory.
  CREATE TABLE memory_uses (
    memory_id ${text} NOT NULL,
    answer_id ${text} NOT NULL,
    PRIMARY KEY (memory_id, answer_id)
  ) ${clustered};

  -- The snapshots of the recall index that were made of these records. The greatest number is the newest.
  CREATE TABLE index_snapshots (
    number ${newKey},
    namespace ${text} NOT NULL,
    digest ${text} NOT NULL,
    UNIQUE (namespace, digest)
  ) ${rows};

  -- Blobs that anyone may fetch in mock mode: receipts that were issued and anchored here, and the memories they name.
  CREATE TABLE published_blobs (
    blob_id ${text} PRIMARY KEY
  ) ${clustered};

  -- How long the blob store keeps a blob, as of when it was last stored. ends_at is when the lease ends at the earliest,
  -- if that is known. A store need not tell the end epoch.
  CREATE TABLE blob_leases (
    blob_id ${text} PRIMARY KEY,
    end_epoch ${integer},
    object_id ${text},
    stored_at ${text} NOT NULL,
    ends_at ${text},
    ${flag("is_published")} NOT NULL
  ) ${rows};
  CREATE INDEX blob_leases_published ON blob_leases (ends_at) WHERE is_published AND ends_at IS NOT NULL;
  ${postgres(`
  -- No samples of what callers wrote: ANALYZE would keep them when the memory is forgotten.
  ALTER TABLE memories ALTER COLUMN content SET STATISTICS 0, ALTER COLUMN fact_key SET STATISTICS 0;
  ALTER TABLE superseded_memories ALTER COLUMN content SET STATISTICS 0, ALTER COLUMN fact_key SET STATISTICS 0;`)}`;
}
