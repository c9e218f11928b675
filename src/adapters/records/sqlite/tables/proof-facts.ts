// The facts of forgotten memories that receipts on record name. Only proofs use them: no recall, list or count does.
import type { DatabaseSync } from "node:sqlite";
import {
  FOREIGN,
  IS_ANCHORED_FACT,
  IS_NAMED_FACT,
  NEWEST_RECEIPTS,
} from "#adapters/records/shared/receipts/proof-facts.ts";

/** Blob ids that receipts name, and the greatest id of these receipts. */
type NamedBlobs = ReadonlyMap<string, string>;

/** Must run inside a transaction. */
export interface ProofFactTable {
  /** What all receipts name. Takes some 25 µs a receipt. */
  named(): NamedBlobs;
  /** Keeps the facts that are named, and what the newest receipts name. To be called before the memories are forgotten. */
  keep(named: NamedBlobs): void;
  /** Forgets the facts that no receipt names after the removal of these. `ids` is a JSON array of answer ids. */
  release(ids: string): void;
}

interface NamingRow {
  readonly answerId: string;
  readonly body: string;
}

const newestOf = (table: string) =>
  `SELECT answer_id AS answerId, body FROM ${table} ORDER BY answer_id DESC LIMIT ${NEWEST_RECEIPTS}`;

const ALL = `SELECT answer_id AS answerId, body FROM receipts
  UNION ALL SELECT answer_id, body FROM opened_receipts
  UNION ALL SELECT '${FOREIGN}', body FROM anchors WHERE issued_answer IS NULL`;
const NEWEST = `SELECT * FROM (${newestOf("receipts")}) UNION ALL SELECT * FROM (${newestOf("opened_receipts")})`;

export function proofFactTable(database: DatabaseSync): ProofFactTable {
  const insert = database.prepare(
    `INSERT INTO proof_facts (blob_id, content, namespace, source_agent, last_named)
     SELECT store_ref, content, namespace, source_agent, :last FROM memories WHERE store_ref = :blobId LIMIT 1
     ON CONFLICT DO UPDATE SET last_named = max(last_named, excluded.last_named)`,
  );
  const remove = database.prepare(
    `DELETE FROM proof_facts WHERE last_named IN (SELECT value FROM json_each(?))
       AND NOT ${IS_ANCHORED_FACT} AND NOT ${IS_NAMED_FACT}`,
  );

  function namedIn(sql: string, named = new Map<string, string>()): Map<string, string> {
    // Prepared for each use: a statement whose iteration failed reports that failure again when it is used next.
    const rows: Iterable<unknown> = database.prepare(sql).iterate();
    for (const { answerId, body } of rows as Iterable<NamingRow>) {
      const { usedMemories = [] } = JSON.parse(body) as { usedMemories?: { storeRef: string }[] };
      for (const { storeRef } of usedMemories)
        if (answerId > (named.get(storeRef) ?? "")) named.set(storeRef, answerId);
    }
    return named;
  }

  return {
    named: () => namedIn(ALL),
    keep(named) {
      for (const [blobId, last] of namedIn(NEWEST, new Map(named))) insert.run({ blobId, last });
    },
    release: (ids) => void remove.run(ids),
  };
}
