// The transparency log: what tenants have in it, and the tree of the deployment.
import { columnsIn, type SchemaDialect } from "./dialect.ts";
import { DEPLOYMENT } from "./tenant-tables.ts";

export function logTables(dialect: SchemaDialect): string {
  const { integer, text, bytes, rows, clustered, sequence, postgres } = dialect;
  const columns = columnsIn(dialect);
  return `
  -- Written in the commit of what it records (an outbox), and later placed in the tree: until then it is queued. about is the
  -- id of an answer, a memory or a key, or the time of a reset. Tenant 0 is the deployment.
  ${sequence("log_entries_queued")}
  CREATE TABLE log_entries (
    ${columns("tenant:integer number:integer at kind about? details? in_force:integer? queued:integer?")},
    tree_index ${integer},
    PRIMARY KEY (tenant, number)
  ) ${clustered};
  CREATE INDEX log_entries_public_queued ON log_entries (queued) WHERE queued IS NOT NULL;
  CREATE INDEX log_entries_about ON log_entries (tenant, about) WHERE kind IN ('opened', 'issued', 'imported', 'forgotten', 'expired', 'reset');

  -- The end of each tenant's chain of entries, as far as they are in the tree. Salts are derived from the key, and go with it.
  CREATE TABLE log_chains (
    ${columns("tenant:integer number:integer chain key last_at")},
    PRIMARY KEY (tenant)
  ) ${clustered};
  ${postgres(`INSERT INTO counters (tenant, name, value) VALUES (${DEPLOYMENT}, 'log', 0);`)}

  -- The tree, in rows of up to 256: of level 0 the entries, of the others hashes of the level below. It names no tenant.
  CREATE TABLE log_tiles (
    level ${integer} NOT NULL,
    number ${integer} NOT NULL,
    hashes ${bytes} NOT NULL,
    PRIMARY KEY (level, number)
  ) ${rows};
  -- The tree as it is, and its last checkpoints: the newest that was signed, and the newest that enough witnesses cosigned.
  CREATE TABLE log_head (
    id ${integer} PRIMARY KEY CHECK (id = 1),
    origin ${text},
    size ${integer} NOT NULL,
    root ${text} NOT NULL,
    signed_size ${integer} NOT NULL,
    note ${text},
    cosigned_size ${integer} NOT NULL,
    cosigned_note ${text}
  ) ${rows};
  INSERT INTO log_head (id, size, root, signed_size, cosigned_size) VALUES (1, 0, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 0, 0);`;
}
