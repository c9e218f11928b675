/** What receipts are told apart by, the details of decisions, and what reports are made of. */
export const ACTIVITY_MIGRATION = `
  -- The model that was asked; null when none was.
  ALTER TABLE answers ADD COLUMN model text COLLATE "C";
  ALTER TABLE opened_receipts ADD COLUMN model text COLLATE "C";
  UPDATE answers SET model = body::json -> 'evidence' ->> 'model' FROM receipts
    WHERE receipts.answer_id = answers.answer_id;
  UPDATE opened_receipts SET model = body::json -> 'evidence' ->> 'model';
  DROP VIEW listed_receipts;
  CREATE VIEW listed_receipts AS
    SELECT answer_id, agent_id, is_verified, namespaces, blocked_list,
      CASE WHEN reason IS NULL THEN 'issued' ELSE 'broken-off' END AS status, model
    FROM answers
    UNION ALL
    SELECT answer_id, agent_id, NULL::boolean, namespaces, blocked_list,
      CASE WHEN reason IS NULL THEN 'opened' ELSE 'broken-off' END, model
    FROM opened_receipts;

  -- The questions of answers, where the service is set to keep them. A sealed one is ciphertext.
  CREATE TABLE kept_questions (
    answer_id text COLLATE "C" PRIMARY KEY,
    question text COLLATE "C" NOT NULL,
    sealed boolean NOT NULL
  );
  -- Samples of questions would outlive them.
  ALTER TABLE kept_questions ALTER COLUMN question SET STATISTICS 0;

  -- What a decision is about beside its agent: a namespace, and details as JSON.
  ALTER TABLE decisions ADD COLUMN namespace text COLLATE "C";
  ALTER TABLE decisions ADD COLUMN details text COLLATE "C";

  -- Which agent was ever given memories of which namespace.
  CREATE TABLE used_gates (
    agent_id text COLLATE "C" NOT NULL,
    namespace text COLLATE "C" NOT NULL,
    first_used_at text COLLATE "C" NOT NULL,
    PRIMARY KEY (agent_id, namespace)
  );
  INSERT INTO used_gates
    SELECT agent_id, used ->> 'namespace', min(created_at)
    FROM (
      SELECT answer_id, agent_id, created_at, body FROM receipts
      UNION ALL
      SELECT answer_id, agent_id, created_at, body FROM opened_receipts
    ) AS given, json_array_elements(body::json -> 'usedMemories') AS used
    WHERE used ->> 'namespace' IS NOT NULL AND answer_id NOT IN (SELECT answer_id FROM imported_receipts)
    GROUP BY 1, 2;

  -- How long each revoke took from its arrival until it was in force.
  CREATE TABLE revoke_times (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at text COLLATE "C" NOT NULL,
    took_ms bigint NOT NULL
  );
  CREATE INDEX revoke_times_at ON revoke_times (at);
`;
