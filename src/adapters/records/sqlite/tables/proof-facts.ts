// The facts of forgotten memories that receipts on record name. Only proofs use them: no recall, list or count does.
import type { DatabaseSync } from "node:sqlite";

/** Writes to the tables of these facts. They must run inside a transaction. */
export interface ProofFactTable {
  /** Keeps the facts of all memories that are named. To be called before the memories are forgotten. */
  keepNamed(): void;
  /** Forgets the facts that only these receipts named. `ids` is a JSON array of answer ids. */
  release(ids: string): void;
}

const used = (table: "receipts" | "opened_receipts" | "anchors", answerId: string) =>
  `SELECT ${answerId} AS answer_id, value ->> 'storeRef' AS blob_id FROM ${table}, json_each(body, '$.usedMemories')`;

// An anchor of a foreign receipt stays for ever, so its answer id, which somebody else chose, does not matter.
const NAMED = `
  SELECT answer_id, blob_id FROM (
    ${used("receipts", "answer_id")}
    UNION ALL
    ${used("opened_receipts", "answer_id")}
    UNION ALL
    ${used("anchors", "''")} WHERE issued_answer IS NULL)
  WHERE blob_id IN (SELECT store_ref FROM memories)`;

export function proofFactTable(database: DatabaseSync): ProofFactTable {
  const keepFacts = database.prepare(
    `INSERT INTO proof_facts (blob_id, content, namespace, source_agent)
     SELECT store_ref, content, namespace, source_agent FROM memories
     WHERE store_ref IN (SELECT blob_id FROM proof_fact_receipts)
     ON CONFLICT DO NOTHING`,
  );
  const keepReferences = database.prepare(
    `INSERT INTO proof_fact_receipts (blob_id, answer_id) SELECT blob_id, answer_id FROM (${NAMED}) WHERE true
     ON CONFLICT DO NOTHING`,
  );
  const removeReferences = database.prepare(
    `DELETE FROM proof_fact_receipts WHERE answer_id IN (SELECT value FROM json_each(?))
       AND NOT EXISTS (SELECT 1 FROM receipts WHERE receipts.answer_id = proof_fact_receipts.answer_id)
       AND NOT EXISTS (SELECT 1 FROM opened_receipts WHERE opened_receipts.answer_id = proof_fact_receipts.answer_id)
     RETURNING blob_id AS blobId`,
  );
  const removeUnnamed = database.prepare(
    `DELETE FROM proof_facts WHERE blob_id IN (SELECT value FROM json_each(?))
       AND NOT EXISTS (SELECT 1 FROM proof_fact_receipts WHERE proof_fact_receipts.blob_id = proof_facts.blob_id)`,
  );

  return {
    keepNamed() {
      keepReferences.run();
      keepFacts.run();
    },
    release(ids) {
      const blobIds = removeReferences.all(ids).map(({ blobId }) => blobId);
      if (blobIds.length > 0) removeUnnamed.run(JSON.stringify(blobIds));
    },
  };
}
