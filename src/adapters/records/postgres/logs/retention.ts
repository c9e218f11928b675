import type { Database, Statement } from "#adapters/records/postgres/connection/database.ts";
import { DECISION_COLUMNS, type DecisionRow, toDecision } from "#adapters/records/shared/logs/decisions.ts";
import {
  cutAtFirstYoung,
  cutToSize,
  LISTS_AT_ONCE,
  type ScannedReceipt,
} from "#adapters/records/shared/logs/retention.ts";
import type { OldReceipt, RetentionRecords } from "#ports.ts";

const isAnchored = (table: string) => `EXISTS (SELECT FROM anchors WHERE issued_answer = ${table}.answer_id)`;

const SCANS = {
  complete: `
    SELECT answer_id AS "answerId", created_at AS "createdAt", ${isAnchored("scanned")}::integer AS "isKept"
    FROM (SELECT answer_id FROM answers WHERE answer_id > $1 ORDER BY answer_id LIMIT $2) AS scanned
      JOIN receipts USING (answer_id) ORDER BY answer_id`,
  incomplete: `
    SELECT answer_id AS "answerId", created_at AS "createdAt", (reason IS NULL)::integer AS "isKept"
    FROM opened_receipts WHERE answer_id > $1 ORDER BY answer_id LIMIT $2`,
};

const COLUMNS = `answer_id AS "answerId", created_at AS "createdAt", reason,
  (SELECT digest FROM blocked_lists WHERE id = blocked_list) AS "blockedDigest", body`;
const BODIES = {
  complete: `SELECT ${COLUMNS} FROM receipts JOIN answers USING (answer_id) WHERE answer_id = ANY ($1) ORDER BY answer_id`,
  incomplete: `SELECT ${COLUMNS} FROM opened_receipts WHERE answer_id = ANY ($1) ORDER BY answer_id`,
};

const OLD_DECISIONS = `
  SELECT ${DECISION_COLUMNS} FROM decisions WHERE at < $1 AND sequence < (SELECT max(sequence) FROM decisions)
  ORDER BY at, sequence LIMIT $2`;

const countOf = (condition: string) =>
  `(SELECT count(*) FROM json_array_elements(body::json -> 'usedMemories') AS used WHERE ${condition})`;

const REMOVE = `
  WITH picked AS (SELECT answer_id FROM unnest($1::text[]) AS given (answer_id) WHERE NOT ${isAnchored("given")}),
  narrow AS (DELETE FROM answers WHERE answer_id IN (SELECT * FROM picked) RETURNING answer_id, reason),
  complete AS (DELETE FROM receipts WHERE answer_id IN (SELECT * FROM picked) RETURNING answer_id, created_at, body),
  incomplete AS (
    DELETE FROM opened_receipts WHERE answer_id = ANY ($1) AND reason IS NOT NULL RETURNING answer_id, created_at
  ),
  uses AS (
    DELETE FROM memory_uses WHERE answer_id IN (SELECT answer_id FROM complete UNION ALL SELECT answer_id FROM incomplete)
  ),
  imported AS (
    DELETE FROM imported_receipts
    WHERE answer_id IN (SELECT answer_id FROM complete UNION ALL SELECT answer_id FROM incomplete)
  ),
  questions AS (DELETE FROM kept_questions WHERE answer_id IN (SELECT answer_id FROM complete)),
  gone AS (DELETE FROM decisions WHERE sequence = ANY ($2::bigint[]) RETURNING 1),
  pruned AS (
    SELECT created_at, 1 AS answers, ${countOf("TRUE")} AS used, ${countOf("used ->> 'verified' = 'true'")} AS verified,
      ${countOf("used ->> 'intact' = 'true'")} AS intact, (reason IS NOT NULL)::integer AS broken_off
    FROM complete JOIN narrow USING (answer_id)
    UNION ALL
    SELECT created_at, 0, 0, 0, 0, 1 FROM incomplete
  ),
  counted AS (
    INSERT INTO pruned_hours AS hours (hour, answers, used, verified, intact, broken_off)
    SELECT left(created_at, 13), sum(answers), sum(used), sum(verified), sum(intact), sum(broken_off)
    FROM pruned GROUP BY 1
    ON CONFLICT (hour) DO UPDATE SET answers = hours.answers + excluded.answers, used = hours.used + excluded.used,
      verified = hours.verified + excluded.verified, intact = hours.intact + excluded.intact,
      broken_off = hours.broken_off + excluded.broken_off
  )
  SELECT (SELECT count(*) FROM pruned) + (SELECT count(*) FROM gone) AS count`;

const IS_UNUSED = `
  NOT EXISTS (SELECT FROM decisions WHERE allowed_list = id) AND NOT EXISTS (SELECT FROM decisions WHERE blocked_list = id)
  AND NOT EXISTS (SELECT FROM answers WHERE blocked_list = id)
  AND NOT EXISTS (SELECT FROM opened_receipts WHERE blocked_list = id)`;
const MARK_LISTS = `UPDATE blocked_lists SET unused_since = $1 WHERE unused_since IS NULL AND ${IS_UNUSED}`;
const UNMARK_LISTS = `UPDATE blocked_lists SET unused_since = NULL WHERE unused_since IS NOT NULL AND NOT (${IS_UNUSED})`;
const REMOVE_LISTS = `
  WITH unused AS (
    SELECT id FROM blocked_lists WHERE unused_since < $1 AND ${IS_UNUSED} LIMIT ${LISTS_AT_ONCE} FOR UPDATE SKIP LOCKED
  ),
  names AS (DELETE FROM blocked_names WHERE list IN (SELECT id FROM unused)),
  lists AS (DELETE FROM blocked_lists WHERE id IN (SELECT id FROM unused) RETURNING 1)
  SELECT count(*) AS count FROM lists`;
/** Longer than any process trusts that a list is on record without looking (name-lists.ts). */
const UNUSED_MS = 3_600_000;

export function retentionRecords(database: Database): RetentionRecords {
  const count = async (statement: Statement) => (await database.row<{ count: number }>(statement))?.count ?? 0;
  return {
    async oldReceipts({ kind, before, after = "", scan }) {
      const scanned = await database.rows<ScannedReceipt>({ text: SCANS[kind], values: [after, scan] });
      const { old, ...rest } = cutAtFirstYoung(scanned, { before, scan });
      const receipts = await database.rows<OldReceipt>({ text: BODIES[kind], values: [old] });
      return cutToSize({ receipts, ...rest });
    },
    async oldDecisions({ before, limit }) {
      return (await database.rows<DecisionRow>({ text: OLD_DECISIONS, values: [before, limit] })).map(toDecision);
    },
    remove({ answerIds = [], sequences = [] }) {
      return count({ text: REMOVE, values: [answerIds, sequences] });
    },
    async removeUnusedLists(now) {
      await database.write({ text: UNMARK_LISTS, values: [] }, { text: MARK_LISTS, values: [now.toISOString()] });
      return count({ text: REMOVE_LISTS, values: [new Date(now.getTime() - UNUSED_MS).toISOString()] });
    },
  };
}
