// Receipts, what they are found and counted by, the decision log and the events.
import type { SchemaDialect } from "./dialect.ts";

export function receiptTables(dialect: SchemaDialect): string {
  const { text, integer, names, flag, rows, clustered, sequence, sqlite, postgres } = dialect;
  const counts = `
    answers ${integer} NOT NULL,
    used ${integer} NOT NULL,
    verified ${integer} NOT NULL,
    intact ${integer} NOT NULL,
    broken_off ${integer} NOT NULL`;

  return `
  -- Blocked namespaces that receipts do not list themselves, each list once. One statement records a list with all its
  -- names, so no foreign key has to look it up ten thousand times.
  ${sequence("blocked_lists_id")}
  CREATE TABLE blocked_lists (
    tenant ${integer} NOT NULL,
    id ${integer} NOT NULL,
    digest ${text} NOT NULL,
    -- Lists that nothing refers to any more are found, marked, and removed later.
    unused_since ${text},
    PRIMARY KEY (tenant, id),
    UNIQUE (tenant, digest)
  ) ${clustered};
  CREATE TABLE blocked_names (
    tenant ${integer} NOT NULL,
    list ${integer} NOT NULL,
    namespace ${text} NOT NULL,
    PRIMARY KEY (tenant, list, namespace)${sqlite(`,
    FOREIGN KEY (tenant, list) REFERENCES blocked_lists (tenant, id)`)}
  ) ${clustered};

  -- Complete receipts. The seed opens the private fields.
  CREATE TABLE receipts (
    tenant ${integer} NOT NULL,
    answer_id ${text} NOT NULL,
    agent_id ${text} NOT NULL,
    created_at ${text} NOT NULL,
    body ${text} NOT NULL,
    seed ${text},
    PRIMARY KEY (tenant, answer_id)
  ) ${rows};

  -- Receipts that are on record before their prompt leaves. A complete receipt takes the place of its begun one. The
  -- reason says why there is none.
  CREATE TABLE begun_receipts (
    tenant ${integer} NOT NULL,
    answer_id ${text} NOT NULL,
    agent_id ${text} NOT NULL,
    created_at ${text} NOT NULL,
    namespaces ${names} NOT NULL,
    blocked_list ${integer},
    body ${text} NOT NULL,
    reason ${text},
    seed ${text},
    model ${text},
    PRIMARY KEY (tenant, answer_id),
    FOREIGN KEY (tenant, blocked_list) REFERENCES blocked_lists (tenant, id)
  ) ${rows};
  CREATE INDEX begun_receipts_agent ON begun_receipts (tenant, agent_id, answer_id);
  CREATE INDEX begun_receipts_without_end ON begun_receipts (tenant, created_at) WHERE reason IS NULL;
  CREATE INDEX begun_receipts_blocked_list ON begun_receipts (tenant, blocked_list) WHERE blocked_list IS NOT NULL;

  -- What complete receipts are found by, in narrow rows: the receipts' own are long. model is the one that was asked, if
  -- one was; reason why the answer was broken off, if it was.
  CREATE TABLE answers (
    tenant ${integer} NOT NULL,
    answer_id ${text} NOT NULL,
    agent_id ${text} NOT NULL,
    ${flag("is_verified")} NOT NULL,
    namespaces ${names} NOT NULL,
    blocked_list ${integer},
    reason ${text},
    model ${text},
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
    tenant ${integer} NOT NULL,
    answer_id ${text} NOT NULL,
    question ${text} NOT NULL,
    ${flag("encrypted")} NOT NULL,
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
    tenant ${integer} NOT NULL,
    agent_id ${text} NOT NULL,
    namespace ${text} NOT NULL,
    first_used_at ${text} NOT NULL,
    PRIMARY KEY (tenant, agent_id, namespace)
  ) ${clustered};

  -- The decision log, append-only. The lists of namespaces are kept with those of receipts. details is JSON.
  ${sequence("decisions_sequence")}
  CREATE TABLE decisions (
    tenant ${integer} NOT NULL,
    sequence ${integer} NOT NULL,
    at ${text} NOT NULL,
    principal_id ${text} NOT NULL,
    principal_name ${text} NOT NULL,
    role ${text} NOT NULL,
    agent_id ${text},
    route ${text} NOT NULL,
    policy_version ${integer} NOT NULL,
    allowed_list ${integer},
    allowed_count ${integer},
    blocked_list ${integer},
    blocked_count ${integer},
    outcome ${text} NOT NULL,
    answer_id ${text},
    memory_id ${text},
    namespace ${text},
    details ${text},
    request_id ${text},
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
    tenant ${integer} NOT NULL,
    sequence ${integer} NOT NULL,
    at ${text} NOT NULL,
    kind ${text} NOT NULL,
    data ${text} NOT NULL,
    PRIMARY KEY (tenant, sequence)
  ) ${clustered};
  ${postgres(`
  -- Samples of what is forgotten would outlive it.
  ALTER TABLE receipts ALTER COLUMN body SET STATISTICS 0;
  ALTER TABLE begun_receipts ALTER COLUMN body SET STATISTICS 0;
  ALTER TABLE kept_questions ALTER COLUMN question SET STATISTICS 0;`)}`;
}
