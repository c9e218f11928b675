// Receipts, what they are found and counted by, the decision log and the events.
import { columnsIn, type SchemaDialect } from "./dialect.ts";

export function receiptTables(dialect: SchemaDialect): string {
  const { text, integer, rows, clustered, sequence, sqlite, postgres } = dialect;
  const columns = columnsIn(dialect);
  const counts = `
    ${columns("answers:integer used:integer verified:integer intact:integer")},
    broken_off ${integer} NOT NULL`;

  return `
  -- Blocked namespaces that receipts do not list themselves, each list once. One statement records a list with all its
  -- names, so no foreign key has to look it up ten thousand times.
  ${sequence("blocked_lists_id")}
  CREATE TABLE blocked_lists (
    ${columns("tenant:integer id:integer digest")},
    -- Lists that nothing refers to any more are found, marked, and removed later.
    unused_since ${text},
    PRIMARY KEY (tenant, id),
    UNIQUE (tenant, digest)
  ) ${clustered};
  CREATE TABLE blocked_names (
    ${columns("tenant:integer list:integer namespace")},
    PRIMARY KEY (tenant, list, namespace)${sqlite(`,
    FOREIGN KEY (tenant, list) REFERENCES blocked_lists (tenant, id)`)}
  ) ${clustered};

  -- Complete receipts. The seed opens the private fields.
  CREATE TABLE receipts (
    ${columns("tenant:integer answer_id agent_id created_at body seed?")},
    PRIMARY KEY (tenant, answer_id)
  ) ${rows};

  -- Receipts that are on record before their prompt leaves. A complete receipt takes the place of its begun one. The
  -- reason says why there is none.
  CREATE TABLE begun_receipts (
    ${columns("tenant:integer answer_id agent_id created_at namespaces:names blocked_list:integer? body reason?")},
    ${columns("seed? model?")},
    PRIMARY KEY (tenant, answer_id),
    FOREIGN KEY (tenant, blocked_list) REFERENCES blocked_lists (tenant, id)
  ) ${rows};
  CREATE INDEX begun_receipts_agent ON begun_receipts (tenant, agent_id, answer_id);
  CREATE INDEX begun_receipts_without_end ON begun_receipts (tenant, created_at) WHERE reason IS NULL;
  CREATE INDEX begun_receipts_blocked_list ON begun_receipts (tenant, blocked_list) WHERE blocked_list IS NOT NULL;

  -- What complete receipts are found by, in narrow rows: the receipts' own are long. model is the one that was asked, if
  -- one was; reason why the answer was broken off, if it was.
  CREATE TABLE answers (
    ${columns("tenant:integer answer_id agent_id is_verified:flag namespaces:names blocked_list:integer? reason?")},
    ${columns("model?")},
    PRIMARY KEY (tenant, answer_id),
    FOREIGN KEY (tenant, blocked_list) REFERENCES blocked_lists (tenant, id)
  ) ${clustered};
  CREATE INDEX answers_agent ON answers (tenant, agent_id, answer_id);
  CREATE INDEX answers_blocked_list ON answers (tenant, blocked_list) WHERE blocked_list IS NOT NULL;

  CREATE VIEW listed_receipts AS
    SELECT tenant, answer_id, agent_id, is_verified, namespaces, blocked_list,
      CASE WHEN reason IS NULL THEN 'issued' ELSE 'broken-off' END AS status, model
    FROM answers
    UNION ALL
    SELECT tenant, answer_id, agent_id, CAST(NULL AS boolean), namespaces, blocked_list,
      CASE WHEN reason IS NULL THEN 'begun' ELSE 'broken-off' END, model
    FROM begun_receipts;

  -- Receipts that another service issued, under its own policy, and that were imported with its export.
  CREATE TABLE imported_receipts (
    tenant ${integer} NOT NULL,
    answer_id ${text} NOT NULL,
    PRIMARY KEY (tenant, answer_id)
  ) ${clustered};

  -- The questions of answers, where the service is set to keep them. An encrypted one is ciphertext.
  CREATE TABLE kept_questions (
    ${columns("tenant:integer answer_id question encrypted:flag")},
    PRIMARY KEY (tenant, answer_id)
  ) ${clustered};

  -- Each process counts in a part of its own, mostly: otherwise all would wait for one row.
  CREATE TABLE answer_hours (
    tenant ${integer} NOT NULL,
    hour ${text} NOT NULL,
    part integer NOT NULL,${counts},
    PRIMARY KEY (tenant, hour, part)
  ) ${clustered};
  -- What the hourly counts have of receipts that were pruned.
  CREATE TABLE pruned_hours (
    tenant ${integer} NOT NULL,
    hour ${text} NOT NULL,${counts},
    PRIMARY KEY (tenant, hour)
  ) ${clustered};

  -- Which agent was ever given memories of which namespace.
  CREATE TABLE used_gates (
    ${columns("tenant:integer agent_id namespace first_used_at")},
    PRIMARY KEY (tenant, agent_id, namespace)
  ) ${clustered};

  -- The decision log, append-only. The lists of namespaces are kept with those of receipts. details is JSON.
  ${sequence("decisions_sequence")}
  CREATE TABLE decisions (
    ${columns("tenant:integer sequence:integer at principal_id principal_name role agent_id? route")},
    ${columns("policy_version:integer allowed_list:integer? allowed_count:integer? blocked_list:integer?")},
    ${columns("blocked_count:integer? outcome answer_id? memory_id? namespace? details? request_id?")},
    digest ${text} NOT NULL DEFAULT '',
    PRIMARY KEY (tenant, sequence),
    FOREIGN KEY (tenant, allowed_list) REFERENCES blocked_lists (tenant, id),
    FOREIGN KEY (tenant, blocked_list) REFERENCES blocked_lists (tenant, id)
  ) ${clustered};
  CREATE INDEX decisions_at ON decisions (tenant, at, sequence);
  CREATE INDEX decisions_agent ON decisions (tenant, agent_id, at, sequence) WHERE agent_id IS NOT NULL;
  CREATE INDEX decisions_request ON decisions (tenant, request_id, agent_id) WHERE request_id IS NOT NULL;
  CREATE INDEX decisions_allowed_list ON decisions (tenant, allowed_list) WHERE allowed_list IS NOT NULL;
  CREATE INDEX decisions_blocked_list ON decisions (tenant, blocked_list) WHERE blocked_list IS NOT NULL;

  -- How many decisions are on record, less those that were pruned.
  CREATE TABLE decision_counts (
    tenant ${integer} NOT NULL,
    part integer NOT NULL,
    recorded ${integer} NOT NULL,
    PRIMARY KEY (tenant, part)
  ) ${clustered};

  -- What happened, for listeners, kept for a day. The newest stays, so that no sequence is used twice.
  CREATE TABLE events (
    ${columns("tenant:integer sequence:integer at kind data")},
    PRIMARY KEY (tenant, sequence)
  ) ${clustered};
  ${postgres(`
  -- Samples of what is forgotten would outlive it.
  ALTER TABLE receipts ALTER COLUMN body SET STATISTICS 0;
  ALTER TABLE begun_receipts ALTER COLUMN body SET STATISTICS 0;
  ALTER TABLE kept_questions ALTER COLUMN question SET STATISTICS 0;`)}`;
}
