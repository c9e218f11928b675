// Receipts, what they are found and counted by, the decision log and the events.
import type { SchemaDialect } from "./dialect.ts";

export function receiptTables(dialect: SchemaDialect): string {
  const { text, integer, names, newKey, flag, bySequence, rows, clustered, sqlite, postgres } = dialect;
  const counts = `
    answers ${integer} NOT NULL,
    used ${integer} NOT NULL,
    verified ${integer} NOT NULL,
    intact ${integer} NOT NULL,
    broken_off ${integer} NOT NULL`;

  return `
  -- Blocked namespaces that receipts do not list themselves, each list once. One statement records a list with all its
  -- names, so no foreign key has to look it up ten thousand times.
  CREATE TABLE blocked_lists (
    id ${newKey},
    digest ${text} NOT NULL UNIQUE,
    -- Lists that nothing refers to any more are found, marked, and removed later.
    unused_since ${text}
  ) ${rows};
  CREATE TABLE blocked_names (
    list ${integer} NOT NULL${sqlite(" REFERENCES blocked_lists (id)")},
    namespace ${text} NOT NULL,
    PRIMARY KEY (list, namespace)
  ) ${clustered};

  -- Complete receipts. The seed opens the private fields.
  CREATE TABLE receipts (
    answer_id ${text} PRIMARY KEY,
    agent_id ${text} NOT NULL,
    created_at ${text} NOT NULL,
    body ${text} NOT NULL,
    seed ${text}
  ) ${rows};

  -- Receipts that are on record before their prompt leaves. A complete receipt takes the place of its begun one. The
  -- reason says why there is none.
  CREATE TABLE begun_receipts (
    answer_id ${text} PRIMARY KEY,
    agent_id ${text} NOT NULL,
    created_at ${text} NOT NULL,
    namespaces ${names} NOT NULL,
    blocked_list ${integer} REFERENCES blocked_lists (id),
    body ${text} NOT NULL,
    reason ${text},
    seed ${text},
    model ${text}
  ) ${rows};
  CREATE INDEX begun_receipts_agent ON begun_receipts (agent_id, answer_id);
  CREATE INDEX begun_receipts_without_end ON begun_receipts (created_at) WHERE reason IS NULL;
  CREATE INDEX begun_receipts_blocked_list ON begun_receipts (blocked_list) WHERE blocked_list IS NOT NULL;

  -- What complete receipts are found by, in narrow rows: the receipts' own are long. model is the one that was asked, if
  -- one was; reason why the answer was broken off, if it was.
  CREATE TABLE answers (
    answer_id ${text} PRIMARY KEY,
    agent_id ${text} NOT NULL,
    ${flag("is_verified")} NOT NULL,
    namespaces ${names} NOT NULL,
    blocked_list ${integer} REFERENCES blocked_lists (id),
    reason ${text},
    model ${text}
  ) ${clustered};
  CREATE INDEX answers_agent ON answers (agent_id, answer_id);
  CREATE INDEX answers_blocked_list ON answers (blocked_list) WHERE blocked_list IS NOT NULL;

  CREATE VIEW listed_receipts AS
    SELECT answer_id, agent_id, is_verified, namespaces, blocked_list,
      CASE WHEN reason IS NULL THEN 'issued' ELSE 'broken-off' END AS status, model
    FROM answers
    UNION ALL
    SELECT answer_id, agent_id, CAST(NULL AS boolean), namespaces, blocked_list,
      CASE WHEN reason IS NULL THEN 'begun' ELSE 'broken-off' END, model
    FROM begun_receipts;

  -- Receipts that another service issued, under its own policy, and that were imported with its export.
  CREATE TABLE imported_receipts (
    answer_id ${text} PRIMARY KEY
  ) ${clustered};

  -- The questions of answers, where the service is set to keep them. An encrypted one is ciphertext.
  CREATE TABLE kept_questions (
    answer_id ${text} PRIMARY KEY,
    question ${text} NOT NULL,
    ${flag("encrypted")} NOT NULL
  ) ${clustered};

  -- Each process counts in a part of its own, mostly: otherwise all would wait for one row.
  CREATE TABLE answer_hours (
    hour ${text} NOT NULL,
    part integer NOT NULL,${counts},
    PRIMARY KEY (hour, part)
  ) ${clustered};
  -- What the hourly counts have of receipts that were pruned.
  CREATE TABLE pruned_hours (
    hour ${text} PRIMARY KEY,${counts}
  ) ${clustered};

  -- Which agent was ever given memories of which namespace.
  CREATE TABLE used_gates (
    agent_id ${text} NOT NULL,
    namespace ${text} NOT NULL,
    first_used_at ${text} NOT NULL,
    PRIMARY KEY (agent_id, namespace)
  ) ${clustered};

  -- The decision log, append-only. The lists of namespaces are kept with those of receipts. details is JSON.
  CREATE TABLE decisions (
    sequence ${newKey},
    at ${text} NOT NULL,
    principal_id ${text} NOT NULL,
    principal_name ${text} NOT NULL,
    role ${text} NOT NULL,
    agent_id ${text},
    route ${text} NOT NULL,
    policy_version ${integer} NOT NULL,
    allowed_list ${integer} REFERENCES blocked_lists (id),
    allowed_count ${integer},
    blocked_list ${integer} REFERENCES blocked_lists (id),
    blocked_count ${integer},
    outcome ${text} NOT NULL,
    answer_id ${text},
    memory_id ${text},
    namespace ${text},
    details ${text},
    request_id ${text},
    digest ${text} NOT NULL DEFAULT ''
  ) ${rows};
  CREATE INDEX decisions_at ON decisions (at${bySequence});
  CREATE INDEX decisions_agent ON decisions (agent_id, at${bySequence}) WHERE agent_id IS NOT NULL;
  CREATE INDEX decisions_request ON decisions (request_id, agent_id) WHERE request_id IS NOT NULL;
  CREATE INDEX decisions_allowed_list ON decisions (allowed_list) WHERE allowed_list IS NOT NULL;
  CREATE INDEX decisions_blocked_list ON decisions (blocked_list) WHERE blocked_list IS NOT NULL;

  -- How many decisions are on record, less those that were pruned.
  CREATE TABLE decision_counts (
    part integer PRIMARY KEY,
    recorded ${integer} NOT NULL
  ) ${rows};
  INSERT INTO decision_counts VALUES (0, 0);

  -- What happened, for listeners, kept for a day. No sequence is used twice, also when all events are forgotten.
  CREATE TABLE events (
    sequence ${sqlite("INTEGER PRIMARY KEY AUTOINCREMENT")}${postgres("bigint PRIMARY KEY")},
    at ${text} NOT NULL,
    kind ${text} NOT NULL,
    data ${text} NOT NULL
  ) ${rows};
  ${postgres(`
  -- Samples of what is forgotten would outlive it.
  ALTER TABLE receipts ALTER COLUMN body SET STATISTICS 0;
  ALTER TABLE begun_receipts ALTER COLUMN body SET STATISTICS 0;
  ALTER TABLE kept_questions ALTER COLUMN question SET STATISTICS 0;`)}`;
}
