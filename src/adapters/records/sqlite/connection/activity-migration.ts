/** What receipts are told apart by, the details of decisions, and what reports are made of. */
export const ACTIVITY_MIGRATION = `
  -- The model that was asked; null when none was.
  ALTER TABLE answers ADD COLUMN model TEXT;
  ALTER TABLE opened_receipts ADD COLUMN model TEXT;
  UPDATE answers SET model = (
    SELECT body ->> '$.evidence.model' FROM receipts WHERE receipts.answer_id = answers.answer_id);
  UPDATE opened_receipts SET model = body ->> '$.evidence.model';
  DROP VIEW listed_receipts;
  CREATE VIEW listed_receipts AS
    SELECT answer_id, agent_id, is_verified, namespaces, blocked_list,
      CASE WHEN reason IS NULL THEN 'issued' ELSE 'broken-off' END AS status, model
    FROM answers
    UNION ALL
    SELECT answer_id, agent_id, NULL, namespaces, blocked_list,
      CASE WHEN reason IS NULL THEN 'opened' ELSE 'broken-off' END, model
    FROM opened_receipts;

  -- The questions of answers, where the service is set to keep them. A sealed one is ciphertext.
  CREATE TABLE kept_questions (
    answer_id TEXT PRIMARY KEY,
    question TEXT NOT NULL,
    sealed INTEGER NOT NULL CHECK (sealed IN (0, 1))
  ) STRICT, WITHOUT ROWID;

  -- What a decision is about beside its agent: a namespace, and details as JSON.
  ALTER TABLE decisions ADD COLUMN namespace TEXT;
  ALTER TABLE decisions ADD COLUMN details TEXT;

  -- Which agent was ever given memories of which namespace.
  CREATE TABLE used_gates (
    agent_id TEXT NOT NULL,
    namespace TEXT NOT NULL,
    first_used_at TEXT NOT NULL,
    PRIMARY KEY (agent_id, namespace)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO used_gates
    SELECT agent_id, namespace, min(created_at) FROM (
      SELECT agent_id, value ->> 'namespace' AS namespace, created_at FROM receipts, json_each(body, '$.usedMemories')
        WHERE answer_id NOT IN (SELECT answer_id FROM imported_receipts)
      UNION ALL
      SELECT agent_id, value ->> 'namespace', created_at FROM opened_receipts, json_each(body, '$.usedMemories')
        WHERE answer_id NOT IN (SELECT answer_id FROM imported_receipts))
    WHERE namespace IS NOT NULL GROUP BY 1, 2;

  -- How long each revoke took from its arrival until it was in force.
  CREATE TABLE revoke_times (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    took_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX revoke_times_at ON revoke_times (at);
`;
