// Pages of receipts, newest first, with what became of each. They are found in the narrow rows of `answers`.

import { type Database, ONE_MOMENT, type Statement } from "#adapters/records/postgres/connection/database.ts";
import type { PageOf, ReceiptFilter, ReceiptPage, RecordedReceipt } from "#ports.ts";

type Query = PageOf<string> & ReceiptFilter;

/** After every answer id. */
const LAST = "\u{10ffff}";
/** More than there will ever be. */
const ANY = 2 ** 50;

/** What is known of the receipts that `page` names, newest first. */
const recorded = (page: string) => `
  SELECT answer_id AS "answerId", body, blob_id AS "blobId", anchored_at AS "anchoredAt", chain, pending
  FROM (${page}) AS page JOIN receipts USING (answer_id)
  LEFT JOIN LATERAL (
    SELECT blob_id, anchored_at, digest FROM anchors WHERE issued_answer = receipts.answer_id
    ORDER BY anchored_at DESC, blob_id LIMIT 1
  ) AS anchor ON true
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('receiptId', receipt_id, 'txDigest', tx_digest, 'allAuthorized', all_authorized,
      'claimed', claimed::json, 'anchoredAt', chain_anchors.anchored_at)
      ORDER BY chain_anchors.anchored_at, receipt_id) AS chain
    FROM chain_anchors WHERE chain_anchors.digest = anchor.digest
  ) AS chain ON true
  LEFT JOIN LATERAL (
    SELECT count(*) AS pending FROM chain_requests
    WHERE chain_requests.digest = anchor.digest AND receipt_id IS NULL
  ) AS pending ON true
  ORDER BY answer_id DESC`;

interface Row {
  readonly answerId: string;
  readonly body: string;
  readonly blobId: string | null;
  readonly anchoredAt: string;
  readonly chain: RecordedReceipt["chain"] | null;
  readonly pending: number;
}

function toRecorded({ body, blobId, anchoredAt, chain, pending }: Row): RecordedReceipt {
  return { body, anchor: blobId === null ? null : { blobId, anchoredAt }, chain: chain ?? [], pending };
}

export async function readReceipt(database: Database, answerId: string): Promise<RecordedReceipt | undefined> {
  const [row] = await database.run<Row>({ text: recorded("SELECT $1::text AS answer_id"), values: [answerId] });
  return row && toRecorded(row);
}

export async function readReceiptPage(database: Database, query: Query): Promise<ReceiptPage> {
  const { limit, scan = ANY } = query;
  const [rows, looked] = (await database.together([matching(query), lookedAt(query)], { begin: ONE_MOMENT })) as [
    Row[],
    { count: number; last: string | null }[],
  ];
  const receipts = rows.slice(0, limit).map(toRecorded);
  if (rows.length > limit) return { receipts, next: rows[limit - 1]?.answerId ?? "" };
  const { count, last } = looked[0] ?? { count: 0, last: null };
  return count === scan && last !== null ? { receipts, next: last } : { receipts };
}

/** One row more than asked for says that there is a next page. */
function matching(query: Query): Statement {
  const values: unknown[] = [];
  const put = (value: unknown) => `$${values.push(value)}`;
  const page = `SELECT answer_id FROM (${candidates(query, put)}) AS found WHERE ${conditions(query, put)}
    ORDER BY answer_id DESC LIMIT ${put(query.limit + 1)}`;
  return { text: recorded(page), values };
}

/** How many rows were candidates, and which was the last. */
function lookedAt(query: Query): Statement {
  const values: unknown[] = [];
  const put = (value: unknown) => `$${values.push(value)}`;
  return {
    text: `SELECT count(*) AS count, min(answer_id) AS last FROM (${candidates(query, put)}) AS found`,
    values,
  };
}

/** Adds a value, and answers with its place in the text. Which filters are set decides on the text, so there are few. */
type Put = (value: unknown) => string;

/** The rows to look at: those of the index that leaves fewest. */
function candidates({ agentId, anchored, before = LAST, scan = ANY }: Query, put: Put): string {
  if (anchored === true) {
    return `SELECT answers.* FROM (
        SELECT DISTINCT issued_answer FROM anchors WHERE issued_answer < ${put(before)} ORDER BY 1 DESC LIMIT ${put(scan)}
      ) AS anchored JOIN answers ON answer_id = issued_answer`;
  }
  if (agentId === undefined) {
    return `SELECT * FROM answers WHERE answer_id < ${put(before)} ORDER BY answer_id DESC LIMIT ${put(scan)}`;
  }
  // As a range of the index on agent and answer, for the reason that memory-pages.ts gives.
  const agent = put(agentId);
  return `SELECT * FROM answers WHERE (agent_id, answer_id) < (${agent}, ${put(before)}) AND agent_id >= ${agent}
    ORDER BY agent_id DESC, answer_id DESC LIMIT ${put(scan)}`;
}

function conditions({ agentId, namespace, anchored, verified }: Query, put: Put): string {
  const all = [
    agentId !== undefined && `agent_id = ${put(agentId)}`,
    verified !== undefined && `is_verified = ${put(verified)}`,
    namespace !== undefined && `${put(namespace)} = ANY (namespaces)`,
    anchored === false && "NOT EXISTS (SELECT FROM anchors WHERE issued_answer = found.answer_id)",
  ];
  return all.filter((condition) => condition !== false).join(" AND ") || "true";
}
