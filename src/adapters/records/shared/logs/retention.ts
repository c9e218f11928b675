// The removal of old receipts and decisions.

import { addTo } from "#adapters/records/shared/limits.ts";
import { proposalStatements } from "#adapters/records/shared/memories/proposals.ts";
import type { Database, Statement } from "#adapters/records/shared/sql/database.ts";
import { among, elementIsTrue, elements, FOR_UPDATE, forRows } from "#adapters/records/shared/sql/dialect.ts";
import type { OldReceipt, OldReceipts, RetentionRecords } from "#ports.ts";
import { DECISION_COLUMNS, type DecisionRow, toDecision } from "./decisions.ts";

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
function cutToSize({ receipts, next }: OldReceipts): OldReceipts {
  let characters = 0;
  const taken: OldReceipt[] = [];
  for (const receipt of receipts) {
    characters += receipt.body.length;
    const last = taken.at(-1);
    if (characters > OLD_CHARACTERS && last !== undefined) return { receipts: taken, next: last.answerId };
    taken.push(receipt);
  }
  return next === undefined ? { receipts } : { receipts, next };
}

const isAnchored = (table: string) =>
  `EXISTS (SELECT 1 FROM anchors WHERE tenant = $tenant AND issued_answer = ${table}.answer_id)`;
const SCANS = {
  complete: `
    SELECT answer_id AS "answerId", created_at AS "createdAt", CAST(${isAnchored("scanned")} AS integer) AS "isKept"
    FROM (SELECT tenant, answer_id FROM answers WHERE tenant = $tenant AND answer_id > $1 ORDER BY answer_id LIMIT $2) AS scanned
      JOIN receipts USING (tenant, answer_id) ORDER BY answer_id`,
  incomplete: `
    SELECT answer_id AS "answerId", created_at AS "createdAt", CAST(reason IS NULL AS integer) AS "isKept"
    FROM begun_receipts WHERE tenant = $tenant AND answer_id > $1 ORDER BY answer_id LIMIT $2`,
};
const COLUMNS = `answer_id AS "answerId", created_at AS "createdAt", reason,
  (SELECT digest FROM blocked_lists WHERE tenant = $tenant AND id = blocked_list) AS "blockedDigest", body`;
const OLD_DECISIONS = `
  SELECT ${DECISION_COLUMNS} FROM decisions
  WHERE tenant = $tenant AND at < $1 AND sequence < (SELECT max(sequence) FROM decisions WHERE tenant = $tenant)
  ORDER BY at, sequence LIMIT $2`;
const COUNT_REMOVED = `
  INSERT INTO decision_counts AS counted (tenant, part, recorded) VALUES ($tenant, -1, -CAST($1 AS bigint))
  ON CONFLICT (tenant, part) DO UPDATE SET recorded = counted.recorded + excluded.recorded`;

const IS_UNUSED = `
  NOT EXISTS (SELECT 1 FROM decisions WHERE tenant = $tenant AND allowed_list = id)
  AND NOT EXISTS (SELECT 1 FROM decisions WHERE tenant = $tenant AND blocked_list = id)
  AND NOT EXISTS (SELECT 1 FROM answers WHERE tenant = $tenant AND blocked_list = id)
  AND NOT EXISTS (SELECT 1 FROM begun_receipts WHERE tenant = $tenant AND blocked_list = id)`;
const MARK_LISTS = `UPDATE blocked_lists SET unused_since = $1 WHERE tenant = $tenant AND unused_since IS NULL AND ${IS_UNUSED}`;
const UNMARK_LISTS = `UPDATE blocked_lists SET unused_since = NULL
  WHERE tenant = $tenant AND unused_since IS NOT NULL AND NOT (${IS_UNUSED})`;
/** Longer than any process trusts that a list is on record without looking (name-lists.ts). */
const UNUSED_MS = 3_600_000;

const ofIds = `tenant = $tenant AND ${among("answer_id", "$1")}`;
const countOf = (condition: string) =>
  `(SELECT count(*) FROM ${elements("body", "usedMemories", "used")} WHERE ${condition})`;

const retentionStatements = {
  BODIES: {
    complete: `SELECT ${COLUMNS} FROM receipts JOIN answers USING (tenant, answer_id) WHERE ${ofIds} ORDER BY answer_id`,
    incomplete: `SELECT ${COLUMNS} FROM begun_receipts WHERE ${ofIds} ORDER BY answer_id`,
  },
  /** Removes old receipts. The last two give what they removed. */
  REMOVE: [
    // So that none of them is anchored meanwhile.
    `SELECT 1 FROM receipts WHERE ${ofIds} ${FOR_UPDATE}`,
    // What the hourly counts have of the receipts that go.
    `INSERT INTO pruned_hours AS hours (tenant, hour, answers, used, verified, intact, broken_off)
      SELECT $tenant, substr(created_at, 1, 13), sum(answers), sum(used), sum(verified), sum(intact), sum(broken_off) FROM (
        SELECT created_at, 1 AS answers, ${countOf("true")} AS used, ${countOf(elementIsTrue("used", "verified"))} AS verified,
          ${countOf(elementIsTrue("used", "intact"))} AS intact, CAST(reason IS NOT NULL AS integer) AS broken_off
        FROM receipts JOIN answers USING (tenant, answer_id) WHERE ${ofIds} AND NOT ${isAnchored("answers")}
        UNION ALL
        SELECT created_at, 0, 0, 0, 0, 1 FROM begun_receipts WHERE ${ofIds} AND reason IS NOT NULL) AS pruned
      GROUP BY 2 HAVING count(*) > 0
      ON CONFLICT (tenant, hour) DO UPDATE SET answers = hours.answers + excluded.answers, used = hours.used + excluded.used,
        verified = hours.verified + excluded.verified, intact = hours.intact + excluded.intact,
        broken_off = hours.broken_off + excluded.broken_off`,
    `DELETE FROM answers WHERE ${ofIds} AND NOT ${isAnchored("answers")}`,
    `DELETE FROM receipts WHERE ${ofIds} AND NOT ${isAnchored("receipts")} RETURNING answer_id AS "answerId", body`,
    `DELETE FROM begun_receipts WHERE ${ofIds} AND reason IS NOT NULL RETURNING answer_id AS "answerId", body`,
  ],
  REMOVE_DECISIONS: `
    DELETE FROM decisions WHERE tenant = $tenant AND ${among("sequence", "$1")} RETURNING sequence`,
  REMOVE_QUESTIONS: `DELETE FROM kept_questions WHERE ${ofIds}`,
  REMOVE_IMPORTED: `DELETE FROM imported_receipts WHERE ${ofIds}`,
  removeUses: forRows<{ memoryId: string; answerId: string }>(
    { memoryId: "text", answerId: "text" },
    (given) => `
      DELETE FROM memory_uses WHERE tenant = $tenant AND (memory_id, answer_id) IN (SELECT "memoryId", "answerId" FROM ${given})`,
  ),
  UNUSED_LISTS: `
    SELECT id FROM blocked_lists WHERE tenant = $tenant AND unused_since < $1 AND ${IS_UNUSED}
    LIMIT ${LISTS_AT_ONCE} ${FOR_UPDATE}`,
  REMOVE_NAMES: `DELETE FROM blocked_names WHERE tenant = $tenant AND ${among("list", "$1")}`,
  REMOVE_LISTS: `DELETE FROM blocked_lists WHERE tenant = $tenant AND ${among("id", "$1")}`,
};

export function retentionRecords({ rows, write, readThenWrite }: Database): RetentionRecords {
  return {
    async oldReceipts({ kind, before, after = "", scan }) {
      const scanned = await rows<ScannedReceipt>({ text: SCANS[kind], values: [after, scan] });
      const { old, ...rest } = cutAtFirstYoung(scanned, { before, scan });
      const receipts = await rows<OldReceipt>({ text: retentionStatements.BODIES[kind], values: [old] });
      return cutToSize({ receipts, ...rest });
    },
    oldDecisions: async ({ before, limit }) =>
      (await rows<DecisionRow>({ text: OLD_DECISIONS, values: [before, limit] })).map(toDecision),
    remove({ answerIds = [], sequences = [] }) {
      const reads = [
        ...retentionStatements.REMOVE.map((text) => ({ text, values: [answerIds] })),
        { text: retentionStatements.REMOVE_DECISIONS, values: [sequences] },
      ];
      return readThenWrite(reads, (results) => {
        const [complete, begun, decisions] = results.slice(3) as [RemovedReceipt[], RemovedReceipt[], unknown[]];
        // A receipt that stays, because it was anchored meanwhile, stays imported, and keeps its question.
        const removed = [...complete, ...begun];
        const ids = removed.map(({ answerId }) => answerId);
        const statements: Statement[] = [
          ...retentionStatements.removeUses(removed.flatMap(usesOf)),
          ...(removed.length === 0 ? [] : [addTo("receipts", -removed.length)]),
          { text: retentionStatements.REMOVE_QUESTIONS, values: [ids] },
          proposalStatements.dropOfAnswers(ids),
          { text: retentionStatements.REMOVE_IMPORTED, values: [ids] },
          ...(decisions.length === 0 ? [] : [{ text: COUNT_REMOVED, values: [decisions.length] }]),
        ];
        return { statements, outcome: removed.length + decisions.length };
      });
    },
    async removeUnusedLists(now) {
      await write({ text: UNMARK_LISTS, values: [] }, { text: MARK_LISTS, values: [now.toISOString()] });
      const before = new Date(now.getTime() - UNUSED_MS).toISOString();
      return readThenWrite([{ text: retentionStatements.UNUSED_LISTS, values: [before] }], ([lists = []]) => {
        const values = [(lists as { id: number }[]).map(({ id }) => id)];
        const statements = [retentionStatements.REMOVE_NAMES, retentionStatements.REMOVE_LISTS].map((text) => ({
          text,
          values,
        }));
        return { statements: lists.length === 0 ? [] : statements, outcome: lists.length };
      });
    },
  };
}

type RemovedReceipt = Pick<OldReceipt, "answerId" | "body">;

function usesOf({ answerId, body }: RemovedReceipt) {
  const { usedMemories = [] } = JSON.parse(body) as { usedMemories?: readonly { readonly memoryId: string }[] };
  return usedMemories.map(({ memoryId }) => ({ memoryId, answerId }));
}
