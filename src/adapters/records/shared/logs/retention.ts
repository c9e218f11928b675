// The removal of old receipts and decisions.

import { addTo } from "#adapters/records/shared/limits.ts";
import { proposalStatements } from "#adapters/records/shared/memories/proposals.ts";
import { questionStatements } from "#adapters/records/shared/receipts/questions.ts";
import { ADDED_TO_HOUR } from "#adapters/records/shared/rows.ts";
import * as sql from "#adapters/records/shared/sql.ts";
import { countFitting } from "#core/collections/count-fitting.ts";
import type { OldReceipt, OldReceipts, RetentionRecords } from "#ports.ts";
import { DECISION_COLUMNS, toDecision } from "./decisions.ts";

/** Names of a list are removed with it. A list has up to as many names as there are namespaces. */
const LISTS_AT_ONCE = 10;
const OLD_CHARACTERS = 2_000_000;

type ScannedReceipt = Pick<OldReceipt, "answerId" | "createdAt"> & { readonly isKept: number };

/** Answer ids begin with the time, so behind a receipt that is not old there are no old ones. */
function cutAtFirstYoung(
  scanned: readonly ScannedReceipt[],
  { before, scan }: { readonly before: string; readonly scan: number },
): { readonly old: readonly string[]; readonly next?: string } {
  const young = scanned.findIndex(({ createdAt }) => createdAt >= before);
  const passed = young === -1 ? scanned : scanned.slice(0, young);
  const old = passed.filter(({ isKept }) => isKept === 0).map(({ answerId }) => answerId);
  const last = scanned.at(-1);
  return young === -1 && scanned.length === scan && last !== undefined ? { old, next: last.answerId } : { old };
}

/** The first receipts, up to a number of characters, and at least one. The next page goes on behind the last of them. */
function cutToSize(page: OldReceipts): OldReceipts {
  const sizes = page.receipts.map(({ body }) => body.length);
  const receipts = page.receipts.slice(0, countFitting(sizes, OLD_CHARACTERS));
  const last = receipts.at(-1);
  return last === undefined || receipts.length === sizes.length ? page : { receipts, next: last.answerId };
}

const ofIds = `tenant = $tenant AND ${sql.among("answer_id", "$1")}`;
const isAnchored = (table: string) =>
  `EXISTS (SELECT 1 FROM anchors WHERE tenant = $tenant AND issued_answer = ${table}.answer_id)`;
const scanOf = (isKept: string, found: string) => sql.statement<ScannedReceipt>`
  SELECT ${sql.columns("answerId createdAt")}, CAST(${isKept} AS integer) AS "isKept" FROM ${found}`;
const SCANS = {
  complete: scanOf(
    isAnchored("scanned"),
    `(SELECT tenant, answer_id FROM answers WHERE tenant = $tenant AND answer_id > $1 ORDER BY answer_id LIMIT $2) AS scanned
      JOIN receipts USING (tenant, answer_id) ORDER BY answer_id`,
  ),
  incomplete: scanOf(
    "reason IS NULL",
    "begun_receipts WHERE tenant = $tenant AND answer_id > $1 ORDER BY answer_id LIMIT $2",
  ),
};
const bodiesIn = (table: string) => sql.statement<OldReceipt>`
  SELECT ${sql.columns("answerId createdAt reason body")},
    (SELECT digest FROM blocked_lists WHERE tenant = $tenant AND id = blocked_list) AS "blockedDigest"
  FROM ${table} WHERE ${ofIds} ORDER BY answer_id`;
const BODIES = {
  complete: bodiesIn("receipts JOIN answers USING (tenant, answer_id)"),
  incomplete: bodiesIn("begun_receipts"),
};
const OLD_DECISIONS = sql.reading(toDecision)`
  SELECT ${DECISION_COLUMNS} FROM decisions
  WHERE tenant = $tenant AND at < $1 AND sequence < (SELECT max(sequence) FROM decisions WHERE tenant = $tenant)
  ORDER BY at, sequence LIMIT $2`;
const COUNT_REMOVED = sql.statement`
  INSERT INTO decision_counts AS counted (tenant, part, recorded) VALUES ($tenant, -1, -CAST($1 AS bigint))
  ON CONFLICT (tenant, part) DO UPDATE SET recorded = counted.recorded + excluded.recorded`;

const IS_UNUSED = `
  NOT EXISTS (SELECT 1 FROM decisions WHERE tenant = $tenant AND allowed_list = id)
  AND NOT EXISTS (SELECT 1 FROM decisions WHERE tenant = $tenant AND blocked_list = id)
  AND NOT EXISTS (SELECT 1 FROM answers WHERE tenant = $tenant AND blocked_list = id)
  AND NOT EXISTS (SELECT 1 FROM begun_receipts WHERE tenant = $tenant AND blocked_list = id)`;
const MARK_LISTS = sql.statement`
  UPDATE blocked_lists SET unused_since = $1 WHERE tenant = $tenant AND unused_since IS NULL AND ${IS_UNUSED}`;
const UNMARK_LISTS = sql.statement`
  UPDATE blocked_lists SET unused_since = NULL WHERE tenant = $tenant AND unused_since IS NOT NULL AND NOT (${IS_UNUSED})`;
/** Longer than any process trusts that a list is on record without looking (name-lists.ts). */
const UNUSED_MS = 3_600_000;

const countOf = (condition: string) =>
  `(SELECT count(*) FROM ${sql.elements("body", "usedMemories", "used")} WHERE ${condition})`;

// So that none of them is anchored meanwhile.
const LOCK = sql.statement`SELECT 1 FROM receipts WHERE ${ofIds} ${sql.FOR_UPDATE}`;
/** What the hourly counts have of the receipts that go. */
const COUNT_PRUNED = sql.statement`
  INSERT INTO pruned_hours AS hours (tenant, hour, answers, used, verified, intact, broken_off)
  SELECT $tenant, substr(created_at, 1, 13), sum(answers), sum(used), sum(verified), sum(intact), sum(broken_off) FROM (
    SELECT created_at, 1 AS answers, ${countOf("true")} AS used, ${countOf(sql.elementIsTrue("used", "verified"))} AS verified,
      ${countOf(sql.elementIsTrue("used", "intact"))} AS intact, CAST(reason IS NOT NULL AS integer) AS broken_off
    FROM receipts JOIN answers USING (tenant, answer_id) WHERE ${ofIds} AND NOT ${isAnchored("answers")}
    UNION ALL
    SELECT created_at, 0, 0, 0, 0, 1 FROM begun_receipts WHERE ${ofIds} AND reason IS NOT NULL) AS pruned
  GROUP BY 2 HAVING count(*) > 0 ON CONFLICT (tenant, hour) DO UPDATE SET ${ADDED_TO_HOUR}`;
const removeFrom = (table: string, returned = "") =>
  sql.statement<RemovedReceipt>`DELETE FROM ${table} WHERE ${ofIds} ${returned}`;
const BODY = `RETURNING ${sql.columns("answerId body")}`;
const REMOVE_ANSWERS = removeFrom("answers", `AND NOT ${isAnchored("answers")}`);
const REMOVE_COMPLETE = removeFrom("receipts", `AND NOT ${isAnchored("receipts")} ${BODY}`);
const REMOVE_BEGUN = removeFrom("begun_receipts", `AND reason IS NOT NULL ${BODY}`);
const REMOVE_IMPORTED = removeFrom("imported_receipts");
const REMOVE_DECISIONS = sql.statement`
  DELETE FROM decisions WHERE tenant = $tenant AND ${sql.among("sequence", "$1")} RETURNING sequence`;
const removeUses = sql.forRows<{ memoryId: string; answerId: string }>(
  "memoryId answerId",
  (given) => `
    DELETE FROM memory_uses WHERE tenant = $tenant AND (memory_id, answer_id) IN (SELECT "memoryId", "answerId" FROM ${given})`,
);
const UNUSED_LISTS = sql.value<number>`
  SELECT id FROM blocked_lists WHERE tenant = $tenant AND unused_since < $1 AND ${IS_UNUSED}
  LIMIT ${LISTS_AT_ONCE} ${sql.FOR_UPDATE}`;
const REMOVE_NAMES = sql.statement`DELETE FROM blocked_names WHERE tenant = $tenant AND ${sql.among("list", "$1")}`;
const REMOVE_LISTS = sql.statement`DELETE FROM blocked_lists WHERE tenant = $tenant AND ${sql.among("id", "$1")}`;

export function retentionRecords({ rows, write, readThenWrite }: sql.Database): RetentionRecords {
  return {
    async oldReceipts({ kind, before, after = "", scan }) {
      const scanned = await rows(SCANS[kind](after, scan));
      const { old, ...rest } = cutAtFirstYoung(scanned, { before, scan });
      const receipts = await rows(BODIES[kind](old));
      return cutToSize({ receipts, ...rest });
    },
    oldDecisions: ({ before, limit }) => rows(OLD_DECISIONS(before, limit)),
    remove({ answerIds = [], sequences = [] }) {
      const first = [LOCK(answerIds), COUNT_PRUNED(answerIds), REMOVE_ANSWERS(answerIds)] as const;
      const reads = [
        ...first,
        REMOVE_COMPLETE(answerIds),
        REMOVE_BEGUN(answerIds),
        REMOVE_DECISIONS(sequences),
      ] as const;
      return readThenWrite(reads, ([, , , complete, begun, decisions]) => {
        // A receipt that stays, because it was anchored meanwhile, stays imported, and keeps its question.
        const removed = [...complete, ...begun];
        const ids = removed.map(({ answerId }) => answerId);
        const statements: sql.Statement[] = [
          ...removeUses(removed.flatMap(usesOf)),
          ...(removed.length === 0 ? [] : [addTo("receipts", -removed.length)]),
          questionStatements.dropOf(ids),
          proposalStatements.dropOfAnswers(ids),
          REMOVE_IMPORTED(ids),
          ...(decisions.length === 0 ? [] : [COUNT_REMOVED(decisions.length)]),
        ];
        return { statements, outcome: removed.length + decisions.length };
      });
    },
    async removeUnusedLists(now) {
      await write(UNMARK_LISTS(), MARK_LISTS(now.toISOString()));
      const before = new Date(now.getTime() - UNUSED_MS).toISOString();
      return readThenWrite([UNUSED_LISTS(before)], ([lists]) => {
        const statements = lists.length === 0 ? [] : [REMOVE_NAMES(lists), REMOVE_LISTS(lists)];
        return { statements, outcome: lists.length };
      });
    },
  };
}

type RemovedReceipt = Pick<OldReceipt, "answerId" | "body">;

function usesOf({ answerId, body }: RemovedReceipt) {
  const { usedMemories = [] } = JSON.parse(body) as { usedMemories?: readonly { readonly memoryId: string }[] };
  return usedMemories.map(({ memoryId }) => ({ memoryId, answerId }));
}
