import { randomInt } from "node:crypto";
import type { HourOfAnswers, IssuedReceipt, ReceiptRecords } from "#ports.ts";
import type { Database, Statement } from "./connection/database.ts";
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

const KNOWN_LISTS = "SELECT digest FROM blocked_lists WHERE digest = ANY ($1)";
const ADD_LIST = `
  WITH list AS (INSERT INTO blocked_lists (digest) VALUES ($1) ON CONFLICT (digest) DO NOTHING RETURNING id)
  INSERT INTO blocked_names (list, namespace) SELECT id, unnest($2::text[]) FROM list`;
const NAMES_AFTER = `
  SELECT namespace FROM blocked_names WHERE list = (SELECT id FROM blocked_lists WHERE digest = $1) AND namespace > $2
  ORDER BY namespace LIMIT $3`;

function addReceipts(batch: readonly IssuedReceipt[], shard: number): Statement {
  const rows = batch.map(({ blockedList, ...row }) => ({ ...row, blockedDigest: blockedList?.digest ?? null }));
  return { text: ADD, values: [JSON.stringify(rows), shard] };
}

/** Records the lists that are not on record. They are long, so known ones are not sent, and each has its own commit. */
async function keepLists(database: Database, batch: readonly IssuedReceipt[]): Promise<void> {
  const lists = new Map(batch.flatMap(({ blockedList: list }) => (list === undefined ? [] : [[list.digest, list]])));
  if (lists.size === 0) return;
  const known = await database.rows<{ digest: string }>({ text: KNOWN_LISTS, values: [[...lists.keys()]] });
  for (const { digest } of known) lists.delete(digest);
  for (const { digest, namespaces } of lists.values())
    await database.write({ text: ADD_LIST, values: [digest, namespaces] });
}

/** `idle` answers when no receipt waits any more. */
export function receiptRecords(database: Database): { readonly records: ReceiptRecords; idle(): Promise<void> } {
  const shard = randomInt(SHARDS);
  const issues = groupCommit<IssuedReceipt>(MAX_BATCH, async (batch) => {
    await keepLists(database, batch);
    await database.write(addReceipts(batch, shard));
    return () => undefined;
  });

  const records: ReceiptRecords = {
    add: issues.write,
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
