// The transparency log: what tenants have in it, and the tree of the deployment.
import type { SchemaDialect } from "./dialect.ts";
import { DEPLOYMENT } from "./tenant-tables.ts";

export const logTables = ({ rows, postgres }: SchemaDialect): string => `
  -- Written in the commit of what it records (an outbox), and later placed in the tree: until then it is queued. about is the
  -- id of an answer, a memory or a key, or the time of a reset. Tenant 0 is the deployment.
  TABLE log_entries: tenant:integer number:integer | at kind about? details? in_force:integer? queued:next?
    tree_index:integer?;
  CREATE INDEX log_entries_public_queued ON log_entries (queued) WHERE queued IS NOT NULL;
  CREATE INDEX log_entries_about ON log_entries (tenant, about) WHERE kind IN ('opened', 'issued', 'imported', 'forgotten', 'expired', 'reset');

  -- The end of each tenant's chain of entries, as far as they are in the tree. Salts are derived from the key, and go with it.
  TABLE log_chains: tenant:integer | number:integer chain key last_at;
  ${postgres(`INSERT INTO counters (tenant, name, value) VALUES (${DEPLOYMENT}, 'log', 0);`)}

  -- The tree, in rows of up to 256: of level 0 the entries, of the others hashes of the level below. It names no tenant.
  TABLE log_tiles: level:integer number:integer | hashes:bytes STORED ${rows};
  -- The tree as it is, and its last checkpoints: the newest that was signed, and the newest that enough witnesses cosigned.
  TABLE log_head: id:single origin? size:integer root signed_size:integer note? cosigned_size:integer cosigned_note?
    STORED ${rows};
  INSERT INTO log_head (id, size, root, signed_size, cosigned_size) VALUES (1, 0, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 0, 0);`;
