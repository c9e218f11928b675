// The transparency log: what tenants have in it, and the tree of the deployment.
import type { SchemaDialect } from "./dialect.ts";
import { DEPLOYMENT } from "./tenant-tables.ts";

export const logTables = ({ rows, postgres }: SchemaDialect): string => `
  -- Entries, JSON, that were written in the commit of what they record (an outbox): how many, and the number of the last one.
  -- in_force is the version of the policy. Later they are placed in the tree, the first one at tree_index: until then they
  -- are queued. Tenant 0 is the deployment.
  TABLE log_batches: tenant:integer last:integer | size:integer queued:next? tree_index:integer? at in_force:integer? entries
    STORED ${rows};
  CREATE INDEX log_batches_public_queued ON log_batches (queued) WHERE queued IS NOT NULL;
  -- In which batches an answer or memory has entries that show it, or a reset by its time.
  TABLE log_subjects: tenant:integer about last:integer |;

  -- The end of each tenant's chain of entries, as far as they are in the tree. Salts are derived from the key, and go with it.
  TABLE log_chains: tenant:integer | number:integer chain key last_at;
  ${postgres(`INSERT INTO counters (tenant, name, value) VALUES (${DEPLOYMENT}, 'log', 0);`)}

  -- The tree, in rows of up to 256: of level 0 the entries, of the others hashes of the level below. It names no tenant.
  TABLE log_tiles: level:integer number:integer | hashes:bytes STORED ${rows};
  -- The tree as it is, and its last checkpoints: the newest that was signed, and the newest that enough witnesses cosigned.
  TABLE log_head: id:single origin? size:integer root signed_size:integer note? cosigned_size:integer cosigned_note?
    STORED ${rows};
  INSERT INTO log_head (id, size, root, signed_size, cosigned_size) VALUES (1, 0, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 0, 0);`;
