import { randomInt } from "node:crypto";
import { issuedEvent } from "#adapters/records/shared/logs/events.ts";
import type { Decision, HourOfAnswers, IssuedReceipt, ReceiptRecords } from "#ports.ts";
import type { Database, Statement } from "./connection/database.ts";
import { groupCommit } from "./connection/group-commit.ts";
import { addDecisions } from "./logs/decisions.ts";
import { addEvents } from "./logs/events.ts";
import type { NameLists } from "./logs/name-lists.ts";
import { findReceipt, readReceiptPage } from "./pages/receipt-pages.ts";

/** How many receipts one commit records. The longest ones make a statement of some megabytes. */
const MAX_BATCH = 500;
/** Sharded counter: each process counts answers in a row of its own, mostly, so that none waits for another's commit. */
const SHARDS = 64;

// Receipts are append-only. What they are searched by stands apart, in the narrow rows of `answers`.
const ADD = `
  WITH added AS (
    SELECT * FROM json_to_recordset($1::json) AS added ("answerId" text, "agentId" text, "createdAt" text,
      namespaces text[], "blockedDigest" text, used bigint, verified bigint, intact bigint, body text)
  ),
  receipt_rows AS (
    INSERT INTO receipts (answer_id, agent_id, created_at, body)
    SELECT "answerId", "agentId", "createdAt", body FROM added
  ),
  answer_rows AS (
    INSERT INTO answers (answer_id, agent_id, is_verified, namespaces, blocked_list)
    SELECT "answerId", "agentId", verified = used AND intact = used, namespaces,
      (SELECT id FROM blocked_lists WHERE digest = "blockedDigest")
    FROM added
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

const NAMES_AFTER = `
  SELECT namespace FROM blocked_names WHERE list = (SELECT id FROM blocked_lists WHERE digest = $1) AND namespace > $2
  ORDER BY namespace LIMIT $3`;

function addReceipts(batch: readonly IssuedReceipt[], shard: number): Statement {
  const rows = batch.map(({ blockedList, ...row }) => ({ ...row, blockedDigest: blockedList?.digest ?? null }));
  return { text: ADD, values: [JSON.stringify(rows), shard] };
}

interface Issue {
  readonly receipt: IssuedReceipt;
  readonly decision: Decision | undefined;
}

/** `idle` answers when no receipt waits any more. */
export function receiptRecords(
  database: Database,
  lists: NameLists,
): { readonly records: ReceiptRecords; idle(): Promise<void> } {
  const shard = randomInt(SHARDS);
  const issues = groupCommit<Issue>({ max: MAX_BATCH, onCommit: database.onCommit }, async (batch) => {
    const receipts = batch.map(({ receipt }) => receipt);
    const decisions = batch.map(({ decision }) => decision);
    await lists.keep([
      ...receipts.map(({ blockedList: list }) => list && { digest: list.digest, names: list.namespaces }),
      ...decisions.flatMap((decision) => [decision?.allowed, decision?.blocked]),
    ]);
    await database.write(
      addReceipts(receipts, shard),
      ...addDecisions(decisions),
      ...addEvents(receipts.map(issuedEvent)),
    );
    return () => undefined;
  });

  const records: ReceiptRecords = {
    add: (receipt, decision) => issues.write({ receipt, decision }),
    async isIssued(answerId, body) {
      const text = "SELECT FROM receipts WHERE answer_id = $1 AND body = $2";
      return (await database.rows({ text, values: [answerId, body] })).length > 0;
    },
    find: (answerId) => findReceipt(database, answerId),
    page: (query) => readReceiptPage(database, query),
    async blockedPage({ digest, after = "", limit }) {
      const rows = await database.rows<{ namespace: string }>({ text: NAMES_AFTER, values: [digest, after, limit] });
      return rows.map(({ namespace }) => namespace);
    },
    byHour: (since) => database.rows<HourOfAnswers>({ text: BY_HOUR, values: [since] }),
  };
  return { records, idle: issues.idle };
}
