// Memories, the namespaces and names that they have, what became of them, and their blobs.
import type { SchemaDialect } from "./dialect.ts";

/** fact_hash finds the same fact again: of an unencrypted memory it is the digest. */
const MEMORY = `tenant:integer sequence:integer memory_id store_ref namespace content source_agent created_at content_digest
    fact_key? expires_at? supersedes? encryption_key_id? wrapped_key? fact_hash occurred_at? metadata?,
    PRIMARY KEY (tenant, sequence), UNIQUE (tenant, memory_id)`;

export function memoryTables({ text, rows, clustered, free, postgres }: SchemaDialect): string {
  return `
  TABLE memories: pinned:off ${MEMORY};
  CREATE INDEX memories_namespace ON memories (tenant, namespace, sequence);
  CREATE INDEX memories_source_agent ON memories (tenant, source_agent, sequence);
  CREATE INDEX memories_store_ref ON memories (tenant, store_ref);
  CREATE INDEX memories_pinned ON memories (tenant, namespace) WHERE pinned;
  CREATE INDEX memories_fact_hash ON memories (tenant, fact_hash);
  CREATE UNIQUE INDEX memories_fact_key ON memories (tenant, namespace, source_agent, fact_key) WHERE fact_key IS NOT NULL;
  CREATE INDEX memories_expires_at ON memories (tenant, expires_at) WHERE expires_at IS NOT NULL;
  -- Which memories are encrypted: counted by key, and by namespace to find unencrypted ones in encrypted namespaces.
  CREATE INDEX memories_encrypted ON memories (tenant, namespace, encryption_key_id) WHERE encryption_key_id IS NOT NULL;

  -- History: memories whose place another one took. They are in no recall, list or count.
  TABLE superseded_memories: superseded_by superseded_at ${MEMORY};
  CREATE INDEX superseded_memories_namespace ON superseded_memories (tenant, namespace, sequence);
  CREATE INDEX superseded_memories_source_agent ON superseded_memories (tenant, source_agent, sequence);
  CREATE INDEX superseded_memories_store_ref ON superseded_memories (tenant, store_ref);
  CREATE INDEX superseded_memories_expires_at ON superseded_memories (tenant, expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX superseded_memories_encrypted ON superseded_memories (tenant, encryption_key_id) WHERE encryption_key_id IS NOT NULL;

  -- Removals. A row is a tombstone, unless its memory was only superseded. captured is the memory's sequence.
  TABLE forgotten: tenant:integer sequence:integer | captured:integer namespace memory_id source_agent cause reason?
    removed_by removed_at digest:digest;
  CREATE INDEX forgotten_namespace ON forgotten (tenant, namespace, sequence);
  CREATE INDEX forgotten_memory_id ON forgotten (tenant, memory_id);

  -- Who pinned and unpinned which memory, and when.
  TABLE pin_changes: tenant:integer sequence:integer | captured:integer namespace pinned:flag changed_by changed_at
    digest:digest;
  CREATE INDEX pin_changes_namespace ON pin_changes (tenant, namespace, sequence);

  -- Who encrypted and unencrypted which namespace, and when.
  TABLE encryption_changes: tenant:integer sequence:integer | namespace encrypted:flag changed_by changed_at
    digest:digest;
  CREATE INDEX encryption_changes_namespace ON encryption_changes (tenant, namespace);

  -- What each namespace holds, its settings, and the sequence of its last change. An empty one keeps its row, for indices
  -- that have not seen its last change.
  TABLE namespaces: tenant:integer name | memories:integer head:integer description? retention_seconds:integer?
    encrypted:off STORED ${free(50, clustered)};
  CREATE INDEX namespaces_encrypted ON namespaces (tenant) WHERE encrypted;
  CREATE INDEX namespaces_head ON namespaces (tenant, head);

  TABLE source_agents: tenant:integer name | memories:integer STORED ${free(50, clustered)};
  CREATE INDEX source_agents_memories ON source_agents (tenant, memories DESC, name);

  -- Names in use. Names of a kind that have the same skeleton look alike. A new name takes place 0, so the key refuses
  -- it when another looks like it. Those that an admin allowed to look alike have further places, and so have those that
  -- look alike only since a later version of Unicode.
  TABLE names: tenant:integer kind name | skeleton place:integer, CHECK (kind IN ('namespace', 'agent')),
    CONSTRAINT names_alike UNIQUE (tenant, kind, skeleton, place);
  -- The version that the skeletons are of. They are derived when it is another one, as it is now.
  CREATE TABLE skeletons (version ${text} NOT NULL) ${rows};
  INSERT INTO skeletons VALUES ('');

  -- Which answers were given which memory.
  TABLE memory_uses: tenant:integer memory_id answer_id |;

  -- Facts out of conversations. They wait while they have a text: JSON, or its ciphertext. A decided one that has a
  -- memory was accepted, and one that has a digest of what it said was declined.
  TABLE proposals: tenant:integer proposal_id | namespace agent_id answer_id created_at expires_at text? encrypted:flag
    decided_by? memory_id? declined?;
  CREATE INDEX proposals_expires ON proposals (tenant, expires_at);

  -- Memories and tombstones that another service recorded.
  TABLE imported_memories: tenant:integer memory_id |;

  -- The snapshots of the recall index that were made of these records. The greatest number is the newest.
  TABLE index_snapshots: tenant:integer number:next | namespace digest, UNIQUE (tenant, namespace, digest);

  -- What anyone may ask for: each id of an anchor, if its receipt was issued here or is on the ledger, its blob, and blobs
  -- and ids of the memories that it names. imported: the tenant has it from elsewhere, and whoever issued it here comes first.
  TABLE published: tenant:integer id | kind imported:flag published_at;
  CREATE INDEX published_public ON published (id);

  -- How long the blob store keeps a blob, as of when it was last stored. ends_at is when the lease ends at the earliest,
  -- if that is known. A store need not tell the end epoch.
  TABLE blob_leases: tenant:integer blob_id | end_epoch:integer? object_id? stored_at ends_at? is_published:flag;
  CREATE INDEX blob_leases_stored ON blob_leases (tenant, stored_at);
  CREATE INDEX blob_leases_published ON blob_leases (tenant, ends_at) WHERE is_published AND ends_at IS NOT NULL;
  ${postgres(`
  -- No samples of what callers wrote: ANALYZE would keep them when the memory is forgotten.
${["memories", "superseded_memories"]
  .map(
    (table) => `
  ALTER TABLE ${table} ALTER COLUMN content SET STATISTICS 0, ALTER COLUMN fact_key SET STATISTICS 0,
    ALTER COLUMN occurred_at SET STATISTICS 0, ALTER COLUMN metadata SET STATISTICS 0;`,
  )
  .join("")}
  ALTER TABLE proposals ALTER COLUMN text SET STATISTICS 0;`)}`;
}
