import { randomInt } from "node:crypto";
import type { HourOfAnswers, IssuedReceipt, ReceiptRecords } from "#ports.ts";
import type { Database } from "./connection/database.ts";
import { groupCommit } from "./connection/group-commit.ts";
import { findReceipt, readReceiptPage } from "./pages/receipt-pages.ts";

/** How many receipts one commit records. The longest ones make a statement of some megabytes. */
const MAX_BATCH = 500;
/** Sharded counter: each process counts answers in a row of its own, mostly, so that none waits for another's commit. */
const SHARDS = 64;

// Receipts are append-only. What they are searched by stands apart, in the narrow rows of `answers`.
const ADD = `
  WITH added AS (
    SELECT * FROM json_to_recordset($1::json) AS added ("answerId" text, "agentId" text, "createdAt" text,
      namespaces text[], used bigint, verified bigint, intact bigint, body text)
  ),
  receipt_rows AS (
    INSERT INTO receipts (answer_id, agent_id, created_at, body)
    SELECT "answerId", "agentId", "createdAt", body FROM added
  ),
  answer_rows AS (
    INSERT INTO answers (answer_id, agent_id, is_verified, namespaces)
    SELECT "answerId", "agentId", verified = used AND intact = used, namespaces FROM added
  )
  INSERT INTO answer_hours AS hours (hour, part, answers, used, verified, intact)
  SELECT left("createdAt", 13) AS hour, $2::integer, count(*), sum(used), sum(verified), sum(intact)
  FROM added GROUP BY 1 ORDER BY 1
  ON CONFLICT (hour, part) DO UPDATE SET answers = hours.answers + excluded.answers, used = hours.used + excluded.used,
    verified = hours.verified + excluded.verified, intact = hours.intact + excluded.intact`;

const BY_HOUR = `
  SELECT hour, sum(answers)::bigint AS answers, sum(used)::bigint AS used, sum(verified)::bigint AS verified,
    sum(intact)::bigint AS intact
  FROM answer_hours WHERE hour >= $1 GROUP BY hour ORDER BY hour`;

/** `idle` answers when no receipt waits any more. */
export function receiptRecords(database: Database): { readonly records: ReceiptRecords; idle(): Promise<void> } {
  const shard = randomInt(SHARDS);
  const issues = groupCommit<IssuedReceipt>(MAX_BATCH, (batch) =>
    database.write({ text: ADD, values: [JSON.stringify(batch), shard] }),
  );

  const records: ReceiptRecords = {
    add: issues.write,
    async isIssued(answerId, body) {
      const text = "SELECT FROM receipts WHERE answer_id = $1 AND body = $2";
      return (await database.rows({ text, values: [answerId, body] })).length > 0;
    },
    find: (answerId) => findReceipt(database, answerId),
    page: (query) => readReceiptPage(database, query),
    byHour: (since) => database.rows<HourOfAnswers>({ text: BY_HOUR, values: [since] }),
  };
  return { records, idle: issues.idle };
}
