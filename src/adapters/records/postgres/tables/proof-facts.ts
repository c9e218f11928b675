// The facts of forgotten memories that receipts on record name. Only proofs use them: no recall, list or count does.
import type { Statement } from "#adapters/records/postgres/connection/database.ts";
import {
  FOREIGN,
  IS_ANCHORED_FACT,
  IS_NAMED_FACT,
  NEWEST_RECEIPTS,
} from "#adapters/records/shared/receipts/proof-facts.ts";

const ALL = `
  SELECT answer_id, body FROM receipts
  UNION ALL SELECT answer_id, body FROM opened_receipts
  UNION ALL SELECT '${FOREIGN}', body FROM anchors WHERE issued_answer IS NULL`;

const newestOf = (table: string) =>
  `(SELECT answer_id, body FROM ${table} ORDER BY answer_id DESC LIMIT ${NEWEST_RECEIPTS})`;
const NEWEST = `${newestOf("receipts")} UNION ALL ${newestOf("opened_receipts")}`;

/** Keeps the facts that these receipts name, from the table of what is being forgotten. */
const keep = (receipts: string): Statement => ({
  text: `
    WITH named AS (
      SELECT used ->> 'storeRef' AS blob_id, max(answer_id) AS last
      FROM (${receipts}) AS naming, json_array_elements(body::json -> 'usedMemories') AS used GROUP BY 1
    )
    INSERT INTO proof_facts (blob_id, content, namespace, source_agent, last_named)
    SELECT DISTINCT ON (store_ref) store_ref, content, namespace, source_agent, last
    FROM forgetting JOIN named ON blob_id = store_ref
    ON CONFLICT (blob_id) DO UPDATE SET last_named = greatest(proof_facts.last_named, excluded.last_named)`,
  values: [],
});

/** To run before the memories are forgotten. The table goes with the transaction. */
export const keepNamedFacts: readonly Statement[] = [
  {
    text: "CREATE TEMPORARY TABLE forgetting ON COMMIT DROP AS SELECT store_ref, content, namespace, source_agent FROM memories",
    values: [],
  },
  keep(ALL),
];

/** The same for receipts that were recorded since, to run behind the fence: nothing is released meanwhile. */
export const keepNewlyNamedFacts: Statement = keep(NEWEST);

/** Forgets the facts that no receipt names after the removal of these. */
export const releaseFacts = (answerIds: readonly string[]): Statement => ({
  text: `DELETE FROM proof_facts WHERE last_named = ANY ($1) AND NOT ${IS_ANCHORED_FACT} AND NOT ${IS_NAMED_FACT}`,
  values: [answerIds],
});
