// Receipts, what they are found and counted by, the decision log, and the events with their webhooks.
import type { SchemaDialect } from "./dialect.ts";

const COUNTS = "answers:integer used:integer verified:integer intact:integer broken_off:integer";
const OF_BLOCKED_LIST = "FOREIGN KEY (tenant, blocked_list) REFERENCES blocked_lists (tenant, id)";

export function receiptTables({ rows, sqlite, postgres }: SchemaDialect): string {
  return `
  -- Blocked namespaces that receipts do not list themselves, each list once. One statement records a list with all its
  -- names, so no foreign key has to look it up ten thousand times.
  TABLE blocked_lists: tenant:integer id:next | digest unused_since?, UNIQUE (tenant, digest);
  TABLE blocked_names: tenant:integer list:integer namespace |${sqlite(`,
    FOREIGN KEY (tenant, list) REFERENCES blocked_lists (tenant, id)`)};

  -- Complete receipts. The seed opens the private fields.
  TABLE receipts: tenant:integer answer_id | agent_id created_at body seed? STORED ${rows};

  -- Receipts that are on record before their prompt leaves. A complete receipt takes the place of its begun one. The
  -- reason says why there is none.
  TABLE begun_receipts: tenant:integer answer_id | agent_id created_at namespaces:names blocked_list:integer? body
    reason? seed? model?, ${OF_BLOCKED_LIST} STORED ${rows};
  CREATE INDEX begun_receipts_agent ON begun_receipts (tenant, agent_id, answer_id);
  CREATE INDEX begun_receipts_without_end ON begun_receipts (tenant, created_at) WHERE reason IS NULL;
  CREATE INDEX begun_receipts_blocked_list ON begun_receipts (tenant, blocked_list) WHERE blocked_list IS NOT NULL;

  -- What complete receipts are found by, in narrow rows: the receipts' own are long. model is the one that was asked, if
  -- one was; reason why the answer was broken off, if it was.
  TABLE answers: tenant:integer answer_id | agent_id is_verified:flag namespaces:names blocked_list:integer? reason?
    model?, ${OF_BLOCKED_LIST};
  CREATE INDEX answers_agent ON answers (tenant, agent_id, answer_id);
  CREATE INDEX answers_blocked_list ON answers (tenant, blocked_list) WHERE blocked_list IS NOT NULL;

  -- Each column has one type in both parts. Otherwise SQLite sorts all rows for a page.
  CREATE VIEW listed_receipts AS
    SELECT tenant, answer_id, agent_id, is_verified, namespaces, blocked_list,
      CASE WHEN reason IS NULL THEN 'issued' ELSE 'broken-off' END AS status, model
    FROM answers
    UNION ALL
    SELECT tenant, answer_id, agent_id, CAST(NULL AS ${sqlite("integer")}${postgres("boolean")}), namespaces, blocked_list,
      CASE WHEN reason IS NULL THEN 'begun' ELSE 'broken-off' END, model
    FROM begun_receipts;

  -- Receipts that another service issued, under its own policy, and that were imported with its export.
  TABLE imported_receipts: tenant:integer answer_id |;

  -- The questions of answers, where the service is set to keep them. An encrypted one is ciphertext.
  TABLE kept_questions: tenant:integer answer_id | question encrypted:flag;

  -- Each process counts in a part of its own, mostly: otherwise all would wait for one row.
  TABLE answer_hours: tenant:integer hour part:small | ${COUNTS};
  -- What the hourly counts have of receipts that were pruned.
  TABLE pruned_hours: tenant:integer hour | ${COUNTS};

  -- Which agent was ever given memories of which namespace.
  TABLE used_gates: tenant:integer agent_id namespace | first_used_at;

  -- The decision log, append-only. The lists of namespaces are kept with those of receipts. details is JSON.
  TABLE decisions: tenant:integer sequence:next | at principal_id principal_name role agent_id? route
    policy_version:integer allowed_list:integer? allowed_count:integer? blocked_list:integer? blocked_count:integer?
    outcome answer_id? memory_id? namespace? details? request_id? digest:digest,
    FOREIGN KEY (tenant, allowed_list) REFERENCES blocked_lists (tenant, id), ${OF_BLOCKED_LIST};
  CREATE INDEX decisions_at ON decisions (tenant, at, sequence);
  CREATE INDEX decisions_agent ON decisions (tenant, agent_id, at, sequence) WHERE agent_id IS NOT NULL;
  CREATE INDEX decisions_request ON decisions (tenant, request_id, agent_id) WHERE request_id IS NOT NULL;
  CREATE INDEX decisions_allowed_list ON decisions (tenant, allowed_list) WHERE allowed_list IS NOT NULL;
  CREATE INDEX decisions_blocked_list ON decisions (tenant, blocked_list) WHERE blocked_list IS NOT NULL;

  -- How many decisions are on record, less those that were pruned.
  TABLE decision_counts: tenant:integer part:small | recorded:integer;

  -- What happened, for listeners, kept for a day. The newest stays, so that no sequence is used twice.
  TABLE events: tenant:integer sequence:integer | at kind data;
  -- Where they are sent to, and how the last deliveries went.
  TABLE webhooks: tenant:integer webhook_id | url kinds owner created_at position:integer failures:integer next_at ended_at?
    deliveries:integer;
  CREATE INDEX webhooks_public_next ON webhooks (next_at) WHERE ended_at IS NULL;
  TABLE webhook_deliveries: tenant:integer webhook_id number:integer | message_id kind at attempt:integer status:integer?
    error?, FOREIGN KEY (tenant, webhook_id) REFERENCES webhooks (tenant, webhook_id) ON DELETE CASCADE;
  ${postgres(`
  -- Samples of what is forgotten would outlive it.
  ALTER TABLE receipts ALTER COLUMN body SET STATISTICS 0;
  ALTER TABLE begun_receipts ALTER COLUMN body SET STATISTICS 0;
  ALTER TABLE kept_questions ALTER COLUMN question SET STATISTICS 0;`)}`;
}
