import { type Database, READ_SNAPSHOT, type Statement } from "#adapters/records/postgres/connection/database.ts";
import { UNLIMITED } from "#adapters/records/shared/paging.ts";
import {
  type EndOfAnswer,
  isSealedAnchor,
  LAST_ID,
  MOST_CHAIN_ANCHORS,
  type ReceiptQuery,
  type Scanned,
  statusOf,
  toReceiptPage,
} from "#adapters/records/shared/receipts/receipt-pages.ts";
import type { ReceiptPage, RecordedReceipt } from "#ports.ts";

const IS_SEALED_ANCHOR = isSealedAnchor((name) => `anchors.body::json -> '${name}'`);

/**
 * The receipts that the query `page` names, with their anchors, newest first. The body is null where it would make the
 * bodies so far larger than `bytes`; the first one always comes.
 */
const withAnchors = (page: string, bytes: string) => `
  SELECT answer_id AS "answerId", CASE WHEN place = 1 OR total <= ${bytes} THEN body END AS body,
    seed, "isComplete", reason, question, "isQuestionSealed", blob_id AS "blobId", anchored_at AS "anchoredAt", "isSealed", chain,
    pending
  FROM (
    SELECT *, row_number() OVER newest_first AS place, sum(octet_length(body)) OVER newest_first AS total
    FROM (
      SELECT answer_id, coalesce(complete.body, opened.body) AS body,
        coalesce(complete.seed, opened.seed) AS seed, complete.body IS NOT NULL AS "isComplete",
        coalesce(answers.reason, opened.reason) AS reason, question, sealed AS "isQuestionSealed"
      FROM (${page}) AS page LEFT JOIN receipts AS complete USING (answer_id) LEFT JOIN answers USING (answer_id)
        LEFT JOIN opened_receipts AS opened USING (answer_id) LEFT JOIN kept_questions USING (answer_id)
      WHERE complete.body IS NOT NULL OR opened.body IS NOT NULL
    ) AS bodies
    WINDOW newest_first AS (ORDER BY answer_id DESC)
  ) AS receipts
  LEFT JOIN LATERAL (
    SELECT blob_id, anchored_at, ${IS_SEALED_ANCHOR} AS "isSealed" FROM anchors WHERE issued_answer = receipts.answer_id
    ORDER BY anchored_at DESC, blob_id LIMIT 1
  ) AS anchor ON true
  LEFT JOIN LATERAL (
    SELECT json_agg(jsonb_build_object('receiptId', receipt_id, 'txDigest', tx_digest, 'allAuthorized', all_authorized,
      'claimed', claimed::json, 'anchoredAt', chain_anchors.anchored_at)
        || CASE WHEN "isSealed" THEN '{"sealed": true}'::jsonb ELSE '{}'::jsonb END
      ORDER BY chain_anchors.anchored_at, receipt_id) AS chain
    FROM (
      SELECT chain_anchors.*, "isSealed"
      FROM (SELECT DISTINCT digest, ${IS_SEALED_ANCHOR} AS "isSealed" FROM anchors
        WHERE issued_answer = receipts.answer_id) AS forms JOIN chain_anchors USING (digest)
      ORDER BY chain_anchors.anchored_at DESC, receipt_id DESC LIMIT ${MOST_CHAIN_ANCHORS}
    ) AS chain_anchors
  ) AS chain ON true
  LEFT JOIN LATERAL (
    SELECT count(*) AS pending FROM chain_requests
    WHERE chain_requests.digest IN (SELECT digest FROM anchors WHERE issued_answer = receipts.answer_id)
      AND receipt_id IS NULL
  ) AS pending ON true
  ORDER BY answer_id DESC`;
const FIND = withAnchors("SELECT $1::text AS answer_id", "0");

interface Row extends EndOfAnswer {
  readonly answerId: string;
  readonly body: string | null;
  readonly seed: string | null;
  readonly question: string | null;
  readonly isQuestionSealed: boolean | null;
  readonly blobId: string | null;
  readonly anchoredAt: string;
  readonly isSealed: boolean | null;
  readonly chain: RecordedReceipt["chain"] | null;
  readonly pending: number;
}

function toRecorded(row: Row): RecordedReceipt[] {
  const { body, seed, question, isQuestionSealed, blobId, anchoredAt, isSealed, chain, pending, ...end } = row;
  if (body === null) return [];
  const kept = question === null ? {} : { question: { text: question, sealed: isQuestionSealed === true } };
  const anchor = blobId === null ? null : { blobId, anchoredAt, ...(isSealed === true && { sealed: true as const }) };
  return [{ body, ...(seed !== null && { seed }), ...kept, ...statusOf(end), anchor, chain: chain ?? [], pending }];
}

export async function findReceipt(database: Database, answerId: string): Promise<RecordedReceipt | undefined> {
  return (await database.rows<Row>({ text: FIND, values: [answerId] })).flatMap(toRecorded)[0];
}

export async function readReceiptPage(database: Database, query: ReceiptQuery): Promise<ReceiptPage> {
  const { limit, scan = UNLIMITED } = query;
  const statements = [matching(query), scanned(query)];
  const [found, [total]] = (await database.transaction(statements, { begin: READ_SNAPSHOT })) as [Row[], [Scanned]];
  return toReceiptPage(found, found.slice(0, limit).flatMap(toRecorded), { limit, scan }, () => total);
}

/** One row more than the limit shows that there is a next page. */
const matching = (query: ReceiptQuery): Statement =>
  statement((put) => {
    const page = `SELECT answer_id FROM (${candidates(query, put)}) AS found WHERE ${conditions(query, put)}
      ORDER BY answer_id DESC LIMIT ${put(query.limit + 1)}`;
    return withAnchors(page, `${put(query.bytes ?? UNLIMITED)}::bigint`);
  });

const scanned = (query: ReceiptQuery): Statement =>
  statement((put) => `SELECT count(*) AS count, min(answer_id) AS last FROM (${candidates(query, put)}) AS found`);

/** Adds a value, and answers with its placeholder. Only the set of filters decides on the text, so there are few. */
type Put = (value: unknown) => string;

function statement(textWith: (put: Put) => string): Statement {
  const values: unknown[] = [];
  return { text: textWith((value) => `$${values.push(value)}`), values };
}

/** The rows to look at, from the index that leaves fewest. */
function candidates(query: ReceiptQuery, put: Put): string {
  const { agentId, anchored, before = LAST_ID, since = "", scan = UNLIMITED } = query;
  if (anchored === true) {
    return `SELECT listed_receipts.* FROM (
        SELECT DISTINCT issued_answer FROM anchors WHERE issued_answer < ${put(before)} AND issued_answer >= ${put(since)}
        ORDER BY 1 DESC LIMIT ${put(scan)}
      ) AS anchored JOIN listed_receipts ON answer_id = issued_answer`;
  }
  if (agentId === undefined) {
    return `SELECT * FROM listed_receipts WHERE answer_id < ${put(before)} AND answer_id >= ${put(since)}
      ORDER BY answer_id DESC LIMIT ${put(scan)}`;
  }
  // A range of the index on agent and answer, for the reason that memory-pages.ts gives.
  const agent = put(agentId);
  return `SELECT * FROM listed_receipts WHERE (agent_id, answer_id) < (${agent}, ${put(before)})
      AND (agent_id, answer_id) >= (${agent}, ${put(since)})
    ORDER BY agent_id DESC, answer_id DESC LIMIT ${put(scan)}`;
}

const hasNamespace = (name: string) =>
  `(${name} = ANY (namespaces)
    OR EXISTS (SELECT FROM blocked_names WHERE list = found.blocked_list AND namespace = ${name}))`;

function conditions({ agentId, namespace, anchored, verified, status, model }: ReceiptQuery, put: Put): string {
  const all = [
    agentId !== undefined && `agent_id = ${put(agentId)}`,
    verified !== undefined && `is_verified = ${put(verified)}`,
    status !== undefined && `status = ${put(status)}`,
    model !== undefined && `model = ${put(model)}`,
    namespace !== undefined && hasNamespace(put(namespace)),
    anchored === false && "NOT EXISTS (SELECT FROM anchors WHERE issued_answer = found.answer_id)",
  ];
  return all.filter((condition) => condition !== false).join(" AND ") || "true";
}
