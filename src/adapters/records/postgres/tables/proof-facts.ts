// The facts of forgotten memories that receipts on record name. Only proofs use them: no recall, list or count does.
import type { Statement } from "#adapters/records/postgres/connection/database.ts";

type Source = "receipts" | "opened_receipts" | "anchors";

const used = (source: Source, answerId: string, from: string = source) => `
  SELECT ${answerId} AS answer_id, used ->> 'storeRef' AS blob_id
  FROM ${from}, json_array_elements(body::json -> 'usedMemories') AS used`;

// An anchor of a foreign receipt stays for ever, so its answer id, which somebody else chose, does not matter.
const ALL_NAMED = `
  ${used("receipts", "answer_id")}
  UNION ALL
  ${used("opened_receipts", "answer_id")}
  UNION ALL
  ${used("anchors", "''")} WHERE issued_answer IS NULL`;

/** More than are recorded between the two statements below. */
const NEWEST = 5_000;
const newest = (table: Source) => `(SELECT * FROM ${table} ORDER BY answer_id DESC LIMIT ${NEWEST}) AS newest`;
const NEWEST_NAMED = `
  ${used("receipts", "answer_id", newest("receipts"))}
  UNION ALL
  ${used("opened_receipts", "answer_id", newest("opened_receipts"))}`;

const keep = (named: string): Statement => ({
  text: `
    WITH named AS MATERIALIZED (
      SELECT DISTINCT blob_id, answer_id FROM (${named}) AS every WHERE blob_id IN (SELECT store_ref FROM forgetting)
    ),
    referred AS (INSERT INTO proof_fact_receipts (blob_id, answer_id) SELECT * FROM named ON CONFLICT DO NOTHING)
    INSERT INTO proof_facts (blob_id, content, namespace, source_agent)
    SELECT store_ref, content, namespace, source_agent FROM forgetting WHERE store_ref IN (SELECT blob_id FROM named)
    ON CONFLICT DO NOTHING`,
  values: [],
});

/** To run before the memories are forgotten. The table goes with the transaction. */
export const keepNamedFacts: readonly Statement[] = [
  {
    text: `CREATE TEMPORARY TABLE forgetting ON COMMIT DROP AS SELECT store_ref, content, namespace, source_agent FROM memories`,
    values: [],
  },
  keep(ALL_NAMED),
];

/**
 * The same for receipts that were recorded since, to run behind the fence: no answer is released that uses what is being
 * forgotten, until the fence is open again and it is.
 */
export const keepNewlyNamedFacts: Statement = keep(NEWEST_NAMED);

/** Forgets the facts that only receipts named that are removed. $1 are their answer ids. To run after their removal. */
export const releaseFacts = (answerIds: readonly string[]): Statement => ({
  text: `
    WITH gone AS (
      DELETE FROM proof_fact_receipts AS named WHERE answer_id = ANY ($1)
        AND NOT EXISTS (SELECT FROM receipts WHERE receipts.answer_id = named.answer_id)
        AND NOT EXISTS (SELECT FROM opened_receipts WHERE opened_receipts.answer_id = named.answer_id)
      RETURNING blob_id, answer_id
    )
    DELETE FROM proof_facts WHERE blob_id IN (SELECT blob_id FROM gone)
      AND NOT EXISTS (SELECT FROM proof_fact_receipts AS named WHERE named.blob_id = proof_facts.blob_id
        AND NOT EXISTS (SELECT FROM gone WHERE gone.blob_id = named.blob_id AND gone.answer_id = named.answer_id))`,
  values: [answerIds],
});
