import { DECISION_COLUMNS, type DecisionRow, toDecision } from "#adapters/records/shared/logs/decisions.ts";
import {
  cutAtFirstYoung,
  cutToSize,
  LISTS_AT_ONCE,
  type ScannedReceipt,
} from "#adapters/records/shared/logs/retention.ts";
import type { Connection } from "#adapters/records/sqlite/connection/connection.ts";
import type { OldReceipt, RetentionRecords } from "#ports.ts";

const isAnchored = (table: "answers" | "receipts") =>
  `EXISTS (SELECT 1 FROM anchors WHERE issued_answer = ${table}.answer_id)`;
const countOf = (condition: string) => `(SELECT count(*) FROM json_each(body, '$.usedMemories') WHERE ${condition})`;

/** What the hourly counts have of the receipts in `ids`, a JSON array. */
const COUNT_PRUNED = `
  INSERT INTO pruned_hours (hour, answers, used, verified, intact, broken_off)
  SELECT substr(created_at, 1, 13), sum(answers), sum(used), sum(verified), sum(intact), sum(broken_off) FROM (
    SELECT created_at, 1 AS answers, ${countOf("TRUE")} AS used, ${countOf("value ->> 'verified' IS 1")} AS verified,
      ${countOf("value ->> 'intact' IS 1")} AS intact, reason IS NOT NULL AS broken_off
    FROM receipts JOIN answers USING (answer_id)
    WHERE answer_id IN (SELECT value FROM json_each(:ids)) AND NOT ${isAnchored("answers")}
    UNION ALL
    SELECT created_at, 0, 0, 0, 0, 1 FROM opened_receipts
    WHERE answer_id IN (SELECT value FROM json_each(:ids)) AND reason IS NOT NULL)
  GROUP BY 1 HAVING count(*) > 0
  ON CONFLICT DO UPDATE SET answers = answers + excluded.answers, used = used + excluded.used,
    verified = verified + excluded.verified, intact = intact + excluded.intact,
    broken_off = broken_off + excluded.broken_off`;

const UNUSED_LISTS = `
  SELECT id FROM blocked_lists
  WHERE NOT EXISTS (SELECT 1 FROM decisions WHERE allowed_list = id)
    AND NOT EXISTS (SELECT 1 FROM decisions WHERE blocked_list = id)
    AND NOT EXISTS (SELECT 1 FROM answers WHERE blocked_list = id)
    AND NOT EXISTS (SELECT 1 FROM opened_receipts WHERE blocked_list = id)
  LIMIT ${LISTS_AT_ONCE}`;

export function retentionRecords({ database, read, inSnapshot, write }: Connection): RetentionRecords {
  const scans = {
    complete: database.prepare(
      `SELECT answer_id AS answerId, (SELECT created_at FROM receipts WHERE receipts.answer_id = answers.answer_id) AS createdAt,
         ${isAnchored("answers")} AS isKept
       FROM answers WHERE answer_id > ? ORDER BY answer_id LIMIT ?`,
    ),
    incomplete: database.prepare(
      `SELECT answer_id AS answerId, created_at AS createdAt, reason IS NULL AS isKept
       FROM opened_receipts WHERE answer_id > ? ORDER BY answer_id LIMIT ?`,
    ),
  };
  const digest = "(SELECT digest FROM blocked_lists WHERE id = blocked_list) AS blockedDigest";
  const bodies = {
    complete: database.prepare(
      `SELECT answer_id AS answerId, created_at AS createdAt, reason, ${digest}, body
       FROM receipts JOIN answers USING (answer_id) WHERE answer_id IN (SELECT value FROM json_each(?)) ORDER BY 1`,
    ),
    incomplete: database.prepare(
      `SELECT answer_id AS answerId, created_at AS createdAt, reason, ${digest}, body
       FROM opened_receipts WHERE answer_id IN (SELECT value FROM json_each(?)) ORDER BY 1`,
    ),
  };
  const oldDecisions = database.prepare(
    `SELECT ${DECISION_COLUMNS} FROM decisions WHERE at < ? AND sequence < (SELECT max(sequence) FROM decisions)
     ORDER BY at, sequence LIMIT ?`,
  );
  const countPruned = database.prepare(COUNT_PRUNED);
  const ofIds = (ids = "?") => `answer_id IN (SELECT value FROM json_each(${ids}))`;
  const removeUses = database.prepare(
    `DELETE FROM memory_uses WHERE (memory_id, answer_id) IN (
       SELECT value ->> 'memoryId', answer_id FROM receipts, json_each(body, '$.usedMemories')
         WHERE ${ofIds("?1")} AND NOT ${isAnchored("receipts")}
       UNION ALL
       SELECT value ->> 'memoryId', answer_id FROM opened_receipts, json_each(body, '$.usedMemories')
         WHERE ${ofIds("?1")} AND reason IS NOT NULL)`,
  );
  const removeAnswers = database.prepare(`DELETE FROM answers WHERE ${ofIds()} AND NOT ${isAnchored("answers")}`);
  const removeReceipts = database.prepare(`DELETE FROM receipts WHERE ${ofIds()} AND NOT ${isAnchored("receipts")}`);
  const removeQuestions = database.prepare(
    `DELETE FROM kept_questions WHERE ${ofIds()} AND answer_id NOT IN (SELECT answer_id FROM receipts)`,
  );
  const removeOpened = database.prepare(`DELETE FROM opened_receipts WHERE ${ofIds()} AND reason IS NOT NULL`);
  // A receipt that stays, because it was anchored meanwhile, stays imported.
  const removeImported = database.prepare(
    `DELETE FROM imported_receipts WHERE ${ofIds()} AND answer_id NOT IN (SELECT answer_id FROM receipts)
       AND answer_id NOT IN (SELECT answer_id FROM opened_receipts)`,
  );
  const removeDecisions = database.prepare("DELETE FROM decisions WHERE sequence IN (SELECT value FROM json_each(?))");
  const unusedLists = database.prepare(UNUSED_LISTS);
  const removeNames = database.prepare("DELETE FROM blocked_names WHERE list = ?");
  const removeList = database.prepare("DELETE FROM blocked_lists WHERE id = ?");

  return {
    oldReceipts: ({ kind, before, after = "", scan }) =>
      read(() =>
        inSnapshot(() => {
          const scanned = scans[kind].all(after, scan) as unknown as ScannedReceipt[];
          const { old, ...rest } = cutAtFirstYoung(scanned, { before, scan });
          const receipts = bodies[kind].all(JSON.stringify(old)) as unknown as OldReceipt[];
          return cutToSize({ receipts, ...rest });
        }),
      ),
    oldDecisions: ({ before, limit }) =>
      read(() => (oldDecisions.all(before, limit) as unknown as DecisionRow[]).map(toDecision)),
    remove: ({ answerIds = [], sequences = [] }) =>
      write(() => {
        const ids = JSON.stringify(answerIds);
        if (answerIds.length > 0) countPruned.run({ ids });
        removeUses.run(ids);
        removeAnswers.run(ids);
        const removed = [
          removeReceipts.run(ids),
          removeOpened.run(ids),
          removeDecisions.run(JSON.stringify(sequences)),
        ];
        removeQuestions.run(ids);
        removeImported.run(ids);
        return removed.reduce((sum, { changes }) => sum + Number(changes), 0);
      }),
    // Whoever refers to a list looks it up in the same transaction (name-lists.ts), so an unused one can go at once.
    removeUnusedLists: () =>
      write(() => {
        const lists = unusedLists.all();
        for (const { id } of lists) {
          removeNames.run(Number(id));
          removeList.run(Number(id));
        }
        return lists.length;
      }),
  };
}
