import type { DatabaseSync } from "node:sqlite";
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
import { rowReader } from "#adapters/records/sqlite/connection/row-reader.ts";
import { takeUpTo } from "#adapters/records/sqlite/connection/take-up-to.ts";
import { countFitting } from "#core/count-fitting.ts";
import type { ReceiptPage, RecordedReceipt } from "#ports.ts";

const IS_SEALED_ANCHOR = isSealedAnchor((name) => `json_type(anchors.body, '$.${name}')`);

const SCAN_BYTES = 1_000_000;

/** The receipts with the ids of a JSON array, complete or only opened. */
const WANTED = `json_each(?) AS wanted
  LEFT JOIN receipts ON receipts.answer_id = wanted.value
  LEFT JOIN opened_receipts AS opened ON opened.answer_id = wanted.value`;

/** Each function runs several statements that must see one state: run it in one transaction. */
export function receiptPages(database: DatabaseSync) {
  const bodies = database.prepare(
    `SELECT wanted.value AS answerId, coalesce(receipts.body, opened.body) AS body,
       coalesce(receipts.seed, opened.seed) AS seed,
       receipts.body IS NOT NULL AS isComplete, coalesce(answers.reason, opened.reason) AS reason,
       question, sealed AS isQuestionSealed
     FROM ${WANTED} LEFT JOIN answers ON answers.answer_id = receipts.answer_id
       LEFT JOIN kept_questions ON kept_questions.answer_id = receipts.answer_id
     WHERE coalesce(receipts.answer_id, opened.answer_id) IS NOT NULL ORDER BY wanted.key`,
  );
  const weights = database.prepare(
    `SELECT octet_length(coalesce(receipts.body, opened.body)) AS bytes FROM ${WANTED} ORDER BY wanted.key`,
  );
  const anchorOf = database.prepare(
    `SELECT blob_id AS blobId, anchored_at AS anchoredAt, ${IS_SEALED_ANCHOR} AS isSealed FROM anchors
     WHERE issued_answer = ? ORDER BY anchored_at DESC, blob_id LIMIT 1`,
  );
  const chainOf = database.prepare(
    `SELECT receipt_id AS receiptId, tx_digest AS txDigest, all_authorized AS allAuthorized, claimed,
       anchored_at AS anchoredAt, isSealed
     FROM (SELECT DISTINCT digest, ${IS_SEALED_ANCHOR} AS isSealed FROM anchors WHERE issued_answer = ?)
       CROSS JOIN chain_anchors USING (digest)
     ORDER BY anchored_at DESC, receipt_id DESC LIMIT ${MOST_CHAIN_ANCHORS}`,
  );
  const pendingOf = database.prepare(
    `SELECT count(*) AS count FROM chain_requests
     WHERE digest IN (SELECT digest FROM anchors WHERE issued_answer = ?) AND receipt_id IS NULL`,
  );
  const prepare = cacheBySql((sql) => {
    const statement = database.prepare(sql);
    statement.setAllowUnknownNamedParameters(true);
    return statement;
  });
  const sizesOf = cacheBySql((sql) =>
    rowReader<{ bytes: number }>(database, `SELECT octet_length(namespaces) AS bytes FROM (${sql})`),
  );

  function withAnchors({ answerId, body, seed, isComplete, reason, question, isQuestionSealed }: BodyRow) {
    const status = {
      ...(seed !== null && { seed }),
      ...(question !== null && { question: { text: question, sealed: isQuestionSealed === 1 } }),
      ...statusOf({ isComplete: isComplete === 1, reason }),
    };
    const found = anchorOf.get(answerId) as { blobId: string; anchoredAt: string; isSealed: number } | undefined;
    if (found === undefined) return { body, ...status, anchor: null, chain: [], pending: 0 };
    const anchor = toForm(found);
    const chain = (chainOf.all(answerId) as unknown as ChainRow[]).map(toChainEntry).reverse();
    return { body, ...status, anchor, chain, pending: Number(pendingOf.get(answerId)?.count) };
  }

  function withIds(answerIds: readonly string[]): RecordedReceipt[] {
    return (bodies.all(JSON.stringify(answerIds)) as unknown as BodyRow[]).map(withAnchors);
  }

  /** The names of a receipt's namespaces can be many. To look for one in them, a page reads a bounded amount of text. */
  function withinSize<V extends ReturnType<typeof valuesOf>>(
    sql: string,
    { namespace, scan }: ReceiptQuery,
    values: V,
  ): V {
    if (namespace === undefined || scan === undefined) return values;
    const { taken, isCut } = takeUpTo(SCAN_BYTES, sizesOf(sql)(values), ({ bytes }) => bytes);
    return isCut ? { ...values, scan: taken.length } : values;
  }

  function fitting(answerIds: readonly string[], bytes?: number): readonly string[] {
    const rows = weights.all(JSON.stringify(answerIds)) as { bytes: number }[];
    return answerIds.slice(
      0,
      countFitting(
        rows.map((row) => row.bytes),
        bytes,
      ),
    );
  }

  return {
    page(query: ReceiptQuery): ReceiptPage {
      const { limit, bytes } = query;
      const sql = candidates(query);
      const values = withinSize(sql, query, valuesOf(query));
      const matching = prepare(
        `SELECT answer_id AS answerId FROM (${sql}) AS found WHERE ${conditions(query)} ORDER BY 1 DESC LIMIT :limit`,
      );
      const found = matching.all({ ...values, limit: limit + 1 }) as { answerId: string }[];
      const receipts = withIds(
        fitting(
          found.slice(0, limit).map(({ answerId }) => answerId),
          bytes,
        ),
      );
      const scanned = prepare(`SELECT count(*) AS count, min(answer_id) AS last FROM (${sql})`);
      return toReceiptPage(
        found,
        receipts,
        { limit, scan: values.scan },
        () => scanned.get(values) as unknown as Scanned,
      );
    },

    find: (answerId: string): RecordedReceipt | undefined => withIds([answerId])[0],
  };
}

/** The rows to look at, from the index that leaves fewest. */
function candidates({ agentId, anchored }: ReceiptQuery): string {
  if (anchored === true) {
    return `SELECT listed_receipts.* FROM
      (SELECT DISTINCT issued_answer FROM anchors WHERE issued_answer < :before AND issued_answer >= :since ORDER BY 1 DESC LIMIT :scan)
      CROSS JOIN listed_receipts ON answer_id = issued_answer`;
  }
  const ofAgent = agentId === undefined ? "" : "agent_id = :agentId AND";
  return `SELECT * FROM listed_receipts WHERE ${ofAgent} answer_id < :before AND answer_id >= :since
    ORDER BY answer_id DESC LIMIT :scan`;
}

/** `instr` rules out most rows cheaply. It can find a name inside another one that contains quotes, so it does not decide. */
const HAS_NAMESPACE = `(
  instr(namespaces, :quoted) AND EXISTS (SELECT 1 FROM json_each(namespaces) WHERE value = :namespace)
  OR EXISTS (SELECT 1 FROM blocked_names WHERE list = found.blocked_list AND namespace = :namespace))`;
const IS_ANCHORED = "EXISTS (SELECT 1 FROM anchors WHERE issued_answer = found.answer_id)";

function conditions({ agentId, namespace, anchored, verified, status, model }: ReceiptQuery): string {
  const all = [
    agentId !== undefined && "agent_id = :agentId",
    verified !== undefined && "is_verified = :verified",
    status !== undefined && "status = :status",
    model !== undefined && "model = :model",
    namespace !== undefined && HAS_NAMESPACE,
    anchored === false && `NOT ${IS_ANCHORED}`,
  ];
  return all.filter((condition) => condition !== false).join(" AND ") || "TRUE";
}

function valuesOf(query: ReceiptQuery) {
  const { before = LAST_ID, since = "", scan = UNLIMITED, agentId = "", namespace = "", verified } = query;
  const { status = "", model = "" } = query;
  const quoted = JSON.stringify(namespace);
  return { before, since, scan, agentId, namespace, quoted, verified: Number(verified === true), status, model };
}

/** Statements by their text. Only the set of filters decides on the text, so there are few. */
function cacheBySql<Statement>(prepare: (sql: string) => Statement): (sql: string) => Statement {
  const statements = new Map<string, Statement>();
  return (sql) => {
    const statement = statements.get(sql) ?? prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
}

interface BodyRow extends Pick<EndOfAnswer, "reason"> {
  readonly answerId: string;
  readonly body: string;
  readonly seed: string | null;
  readonly isComplete: number;
  readonly question: string | null;
  readonly isQuestionSealed: number | null;
}

interface ChainRow extends Omit<RecordedReceipt["chain"][number], "claimed" | "allAuthorized" | "sealed"> {
  readonly isSealed: number;
  readonly claimed: string;
  readonly allAuthorized: number;
}

function toForm<R extends { readonly isSealed: number }>({ isSealed, ...row }: R) {
  return { ...row, ...(isSealed === 1 && { sealed: true as const }) };
}

function toChainEntry({ claimed, allAuthorized, ...row }: ChainRow): RecordedReceipt["chain"][number] {
  return { ...toForm(row), claimed: JSON.parse(claimed), allAuthorized: allAuthorized === 1 };
}
