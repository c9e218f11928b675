// Pages of receipts, newest first. They are found in the narrow rows of the view `listed_receipts` a scan budget,
// with the sizes of their bodies. Then those are read that fit into the page, with their anchors.
import * as sql from "#adapters/records/shared/sql.ts";
import { countFitting } from "#core/collections/count-fitting.ts";
import type { PageOf, ReceiptFilter, ReceiptRecords, RecordedReceipt } from "#ports.ts";

type ReceiptQuery = PageOf<string> & ReceiptFilter;

/** Sorts after every answer id. */
export const LAST_ID = "\u{10ffff}";
/** Of the anchors of one receipt on the ledger, a page shows this many. */
const MOST_CHAIN_ANCHORS = 20;
/** The names of a receipt's namespaces can be many. To look for one in them, a page of SQLite reads so much text at most. */
const SCAN_BYTES = 1_000_000;

/** Of a row of `anchors` whose receipt was issued here: the sealed form has commitments at its top, and no memories. */
export const isSealedAnchor = (body: string): string =>
  `(${sql.member(body, "commitments")} IS NOT NULL AND ${sql.member(body, "usedMemories")} IS NULL)`;

/** SQL: `ReceiptStatus`, where `answers` and `begun` are joined, and the complete receipt under this name. */
export const statusOf = (complete: string): string => `
  CASE WHEN coalesce(answers.reason, begun.reason) IS NOT NULL THEN 'broken-off'
    WHEN ${complete}.answer_id IS NOT NULL THEN 'issued' ELSE 'begun' END`;

interface Found {
  readonly answerId: string;
  readonly bytes: number;
}

interface Scanned {
  readonly count: number;
  readonly last: string | null;
}

/** True, or null. */
const ifSealed = `CASE WHEN ${isSealedAnchor("anchors.body")} THEN true END`;
const ofIssued = `tenant = $tenant AND ${sql.among("issued_answer", "$1")}`;
const BODIES = sql.reading(sql.reader<BodyRow>({ flags: ["encrypted", "isAnchored"] }))`
  SELECT wanted.value AS "answerId", coalesce(complete.body, begun.body) AS body,
    coalesce(complete.seed, begun.seed) AS seed, ${statusOf("complete")} AS status,
    coalesce(answers.reason, begun.reason) AS reason, question, encrypted,
    EXISTS (SELECT 1 FROM anchors WHERE tenant = $tenant AND issued_answer = wanted.value) AS "isAnchored"
  FROM (SELECT value FROM ${sql.listIn("$1")}) AS wanted
    LEFT JOIN receipts AS complete ON complete.tenant = $tenant AND complete.answer_id = wanted.value
    LEFT JOIN answers ON answers.tenant = $tenant AND answers.answer_id = wanted.value
    LEFT JOIN begun_receipts AS begun ON begun.tenant = $tenant AND begun.answer_id = wanted.value
    LEFT JOIN kept_questions ON kept_questions.tenant = $tenant AND kept_questions.answer_id = complete.answer_id
  WHERE complete.body IS NOT NULL OR begun.body IS NOT NULL ORDER BY wanted.value DESC`;
const ANCHORS = sql.reading(sql.reader<OfAnswer & NonNullable<RecordedReceipt["anchor"]>>({ flags: ["sealed"] }))`
  SELECT ${sql.columns("answerId=issued_answer blobId anchoredAt")}, ${ifSealed} AS sealed
  FROM anchors WHERE tenant = $tenant AND blob_id IN (
    SELECT blob_id FROM (
      SELECT blob_id, row_number() OVER (PARTITION BY issued_answer ORDER BY anchored_at DESC, blob_id) AS place
      FROM anchors WHERE ${ofIssued}) AS newest WHERE place = 1)`;
const CHAIN = sql.reading(sql.reader<ChainRow>({ flags: ["allAuthorized", "sealed"], json: ["claimed"] }))`
  SELECT "answerId", "receiptId", "txDigest", "allAuthorized", claimed, "anchoredAt", sealed FROM (
    SELECT "answerId", ${sql.columns("receiptId txDigest allAuthorized claimed anchoredAt")}, sealed,
      row_number() OVER (PARTITION BY "answerId" ORDER BY anchored_at DESC, receipt_id DESC) AS place
    FROM (SELECT DISTINCT issued_answer AS "answerId", digest, ${ifSealed} AS sealed FROM anchors WHERE ${ofIssued})
      AS forms CROSS JOIN chain_anchors WHERE chain_anchors.tenant = $tenant AND chain_anchors.digest = forms.digest) AS numbered
  WHERE place <= ${MOST_CHAIN_ANCHORS} ORDER BY place DESC`;
const PENDING = sql.entry<string, number>`
  SELECT "answerId", count(*) AS count
  FROM (SELECT DISTINCT issued_answer AS "answerId", digest FROM anchors WHERE ${ofIssued}) AS forms
    JOIN chain_requests ON chain_requests.tenant = $tenant AND chain_requests.digest = forms.digest WHERE receipt_id IS NULL GROUP BY "answerId"`;

export function receiptPages({ name, rows, snapshot }: sql.Database): Pick<ReceiptRecords, "find" | "page"> {
  async function withIds(answerIds: readonly string[]): Promise<RecordedReceipt[]> {
    if (answerIds.length === 0) return [];
    const bodies = await rows(BODIES(answerIds));
    const anchored = bodies.filter(({ isAnchored }) => isAnchored).map(({ answerId }) => answerId);
    // Most receipts are not anchored.
    const [anchors, chain, pending] =
      anchored.length === 0 ? [[], [], []] : await snapshot([ANCHORS(anchored), CHAIN(anchored), PENDING(anchored)]);
    const anchorOf = new Map(anchors.map(({ answerId, ...anchor }) => [answerId, anchor]));
    const chainOf = Map.groupBy(chain, ({ answerId }) => answerId);
    const pendingOf = new Map(pending);
    return bodies.map(({ answerId, isAnchored: _, question, encrypted = false, ...receipt }) => ({
      ...receipt,
      ...(question !== undefined && { question: { text: question, encrypted } }),
      anchor: anchorOf.get(answerId) ?? null,
      chain: chainOf.get(answerId)?.map(({ answerId: _, ...anchor }) => anchor) ?? [],
      pending: pendingOf.get(answerId) ?? 0,
    }));
  }

  /** The scan of a query, shorter if the rows are long. */
  async function scanOf(query: ReceiptQuery): Promise<number> {
    const { scan = sql.UNLIMITED, namespace } = query;
    if (name !== "sqlite" || namespace === undefined || scan === sql.UNLIMITED) return scan;
    const read = built<{ count: number }>(
      (put) => `
        SELECT count(*) AS count FROM (
          SELECT sum(octet_length(namespaces)) OVER (ORDER BY answer_id DESC) AS total FROM (${candidates(query, scan, name, put)}))
        WHERE total <= ${SCAN_BYTES}`,
    );
    return Math.min(scan, Math.max((await rows(read))[0]?.count ?? 0, 1));
  }

  return {
    find: async (answerId) => (await withIds([answerId]))[0],

    async page(query) {
      const { limit, bytes } = query;
      const scan = await scanOf(query);
      const scanned = built<Scanned>(
        (put) =>
          `SELECT count(*) AS count, min(answer_id) AS last FROM (${candidates(query, scan, name, put)}) AS found`,
      );
      const read = matching(query, scan, name);
      const [found, total = []] = name === "sqlite" ? [await rows(read)] : await snapshot([read, scanned]);
      const sizes = found.slice(0, limit).map((each) => each.bytes);
      const fitting = found.slice(0, countFitting(sizes, bytes));
      const receipts = await withIds(fitting.map(({ answerId }) => answerId));
      if (found.length > fitting.length) return { receipts, next: fitting.at(-1)?.answerId ?? "" };
      // The scan is asked about only when nothing was left out.
      const { count, last } = (total[0] ?? (await rows(scanned))[0]) as Scanned;
      return count === scan && last !== null ? { receipts, next: last } : { receipts };
    },
  };
}

/** Adds a value, and answers with its placeholder. Only the set of filters decides on the text, so there are few. */
type Put = (value: unknown) => string;

function built<Row>(textWith: (put: Put) => string): sql.Statement<Row> {
  const values: unknown[] = [];
  return { text: textWith((value) => `$${values.push(value)}`), values };
}

/** One row more than the limit shows that there is a next page. */
const matching = (query: ReceiptQuery, scan: number, name: sql.DatabaseName) =>
  built<Found>(
    (put) => `
    SELECT page.answer_id AS "answerId", octet_length(coalesce(receipts.body, begun_receipts.body)) AS bytes
    FROM (
      SELECT answer_id FROM (${candidates(query, scan, name, put)}) AS found WHERE ${conditions(query, put)}
      ORDER BY answer_id DESC LIMIT ${put(query.limit + 1)}
    ) AS page LEFT JOIN receipts ON receipts.tenant = $tenant AND receipts.answer_id = page.answer_id
      LEFT JOIN begun_receipts ON begun_receipts.tenant = $tenant AND begun_receipts.answer_id = page.answer_id
    ORDER BY page.answer_id DESC`,
  );

/** The rows to look at, from the index that leaves fewest. */
function candidates(query: ReceiptQuery, scan: number, name: sql.DatabaseName, put: Put): string {
  const { agentId, answerIds, anchored, before = LAST_ID, since = "" } = query;
  if (answerIds !== undefined)
    return `SELECT * FROM listed_receipts WHERE tenant = $tenant AND ${sql.among("answer_id", put(answerIds))}
        AND answer_id < ${put(before)} AND answer_id >= ${put(since)}
      ORDER BY answer_id DESC LIMIT ${put(scan)}`;
  if (anchored === true) {
    const ids = `SELECT DISTINCT issued_answer FROM anchors
      WHERE tenant = $tenant AND issued_answer < ${put(before)} AND issued_answer >= ${put(since)}
      ORDER BY 1 DESC LIMIT ${put(scan)}`;
    // Each looks up both parts of the view by their keys: SQLite for a list, and PostgreSQL for a join.
    return name === "sqlite"
      ? `SELECT * FROM listed_receipts WHERE tenant = $tenant AND answer_id IN (${ids})`
      : `SELECT listed_receipts.* FROM (${ids}) AS anchored CROSS JOIN listed_receipts
         WHERE tenant = $tenant AND answer_id = issued_answer`;
  }
  // For PostgreSQL a range of the index on agent and answer, for the reason that memory-pages.ts gives.
  if (agentId !== undefined && name === "postgres") {
    const agent = put(agentId);
    return `SELECT * FROM listed_receipts WHERE tenant = $tenant AND (agent_id, answer_id) < (${agent}, ${put(before)})
        AND (agent_id, answer_id) >= (${agent}, ${put(since)})
      ORDER BY agent_id DESC, answer_id DESC LIMIT ${put(scan)}`;
  }
  const ofAgent = agentId === undefined ? "" : `agent_id = ${put(agentId)} AND`;
  return `SELECT * FROM listed_receipts WHERE tenant = $tenant AND ${ofAgent} answer_id < ${put(before)} AND answer_id >= ${put(since)}
    ORDER BY answer_id DESC LIMIT ${put(scan)}`;
}

function conditions(query: ReceiptQuery, put: Put): string {
  const { agentId, namespace, anchored, verified, status, model } = query;
  const hasNamespace = (name: string) =>
    `(${sql.has("namespaces", name)}
      OR EXISTS (SELECT 1 FROM blocked_names WHERE tenant = $tenant AND list = found.blocked_list AND namespace = ${name}))`;
  const all = [
    agentId !== undefined && `agent_id = ${put(agentId)}`,
    verified !== undefined && `is_verified = ${put(verified)}`,
    status !== undefined && `status = ${put(status)}`,
    model !== undefined && `model = ${put(model)}`,
    namespace !== undefined && hasNamespace(put(namespace)),
    anchored !== undefined &&
      `${anchored ? "" : "NOT "}EXISTS (SELECT 1 FROM anchors WHERE tenant = $tenant AND issued_answer = found.answer_id)`,
  ];
  return all.filter((condition) => condition !== false).join(" AND ") || "true";
}

interface OfAnswer {
  readonly answerId: string;
}

interface BodyRow extends OfAnswer, Pick<RecordedReceipt, "body" | "seed" | "status" | "reason"> {
  readonly question?: string;
  /** The question. */
  readonly encrypted?: boolean;
  readonly isAnchored: boolean;
}

type ChainRow = OfAnswer & RecordedReceipt["chain"][number];
