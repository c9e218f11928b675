import type { DatabaseSync, StatementSync } from "node:sqlite";
import { UNLIMITED } from "#adapters/records/shared/paging.ts";
import {
  LAST_ID,
  MOST_CHAIN_ANCHORS,
  type ReceiptQuery,
  type Scanned,
  toReceiptPage,
} from "#adapters/records/shared/receipt-pages.ts";
import { takeUpTo } from "#adapters/records/sqlite/connection/take-up-to.ts";
import { countFitting } from "#core/count-fitting.ts";
import type { ReceiptPage, RecordedReceipt } from "#ports.ts";

const SCAN_BYTES = 1_000_000;

/** Each function runs several statements that must see one state: run it in one transaction. */
export function receiptPages(database: DatabaseSync) {
  const bodies = database.prepare(
    `SELECT receipts.answer_id AS answerId, body FROM json_each(?) AS wanted
     JOIN receipts ON receipts.answer_id = wanted.value ORDER BY wanted.key`,
  );
  const weights = database.prepare(
    `SELECT octet_length(body) AS bytes FROM json_each(?) AS wanted
     JOIN receipts ON receipts.answer_id = wanted.value ORDER BY wanted.key`,
  );
  const anchorOf = database.prepare(
    `SELECT blob_id AS blobId, anchored_at AS anchoredAt, digest FROM anchors WHERE issued_answer = ?
     ORDER BY anchored_at DESC, blob_id LIMIT 1`,
  );
  const chainOf = database.prepare(
    `SELECT receipt_id AS receiptId, tx_digest AS txDigest, all_authorized AS allAuthorized, claimed,
       anchored_at AS anchoredAt
     FROM chain_anchors WHERE digest = ? ORDER BY anchored_at DESC, receipt_id DESC LIMIT ${MOST_CHAIN_ANCHORS}`,
  );
  const pendingOf = database.prepare(
    "SELECT count(*) AS count FROM chain_requests WHERE digest = ? AND receipt_id IS NULL",
  );
  const prepare = statementCache(database);

  function withAnchors({ answerId, body }: { answerId: string; body: string }): RecordedReceipt {
    const found = anchorOf.get(answerId) as { blobId: string; anchoredAt: string; digest: string } | undefined;
    if (found === undefined) return { body, anchor: null, chain: [], pending: 0 };
    const { digest, ...anchor } = found;
    const chain = (chainOf.all(digest) as unknown as ChainRow[]).map(toChainEntry).reverse();
    return { body, anchor, chain, pending: Number(pendingOf.get(digest)?.count) };
  }

  function withIds(answerIds: readonly string[]): RecordedReceipt[] {
    return (bodies.all(JSON.stringify(answerIds)) as { answerId: string; body: string }[]).map(withAnchors);
  }

  /** The names of a receipt's namespaces can be many. To look for one in them, a page reads a bounded amount of text. */
  function withinSize<V extends { readonly scan: number }>(
    sql: string,
    { namespace, scan }: ReceiptQuery,
    values: V,
  ): V {
    if (namespace === undefined || scan === undefined) return values;
    const sizes = prepare(`SELECT octet_length(namespaces) AS bytes FROM (${sql})`).iterate(values as never);
    const { taken, isCut } = takeUpTo(
      SCAN_BYTES,
      sizes as Iterable<unknown> as Iterable<{ bytes: number }>,
      (row) => row.bytes,
    );
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
    return `SELECT answers.* FROM
      (SELECT DISTINCT issued_answer FROM anchors WHERE issued_answer < :before ORDER BY 1 DESC LIMIT :scan)
      CROSS JOIN answers ON answer_id = issued_answer`;
  }
  const ofAgent = agentId === undefined ? "" : "agent_id = :agentId AND";
  return `SELECT * FROM answers WHERE ${ofAgent} answer_id < :before ORDER BY answer_id DESC LIMIT :scan`;
}

/** `instr` rules out most rows cheaply. It can find a name inside another one that contains quotes, so it does not decide. */
const HAS_NAMESPACE = `(
  instr(namespaces, :quoted) AND EXISTS (SELECT 1 FROM json_each(namespaces) WHERE value = :namespace)
  OR EXISTS (SELECT 1 FROM blocked_names WHERE list = found.blocked_list AND namespace = :namespace))`;
const IS_ANCHORED = "EXISTS (SELECT 1 FROM anchors WHERE issued_answer = found.answer_id)";

function conditions({ agentId, namespace, anchored, verified }: ReceiptQuery): string {
  const all = [
    agentId !== undefined && "agent_id = :agentId",
    verified !== undefined && "is_verified = :verified",
    namespace !== undefined && HAS_NAMESPACE,
    anchored === false && `NOT ${IS_ANCHORED}`,
  ];
  return all.filter((condition) => condition !== false).join(" AND ") || "TRUE";
}

function valuesOf({ before = LAST_ID, scan = UNLIMITED, agentId = "", namespace = "", verified }: ReceiptQuery) {
  return { before, scan, agentId, namespace, quoted: JSON.stringify(namespace), verified: Number(verified === true) };
}

/** Prepared statements by their text. Only the set of filters decides on the text, so there are few. */
function statementCache(database: DatabaseSync): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    const cached = statements.get(sql);
    if (cached !== undefined) return cached;
    const statement = database.prepare(sql);
    statement.setAllowUnknownNamedParameters(true);
    statements.set(sql, statement);
    return statement;
  };
}

interface ChainRow extends Omit<RecordedReceipt["chain"][number], "claimed" | "allAuthorized"> {
  readonly claimed: string;
  readonly allAuthorized: number;
}

function toChainEntry({ claimed, allAuthorized, ...row }: ChainRow): RecordedReceipt["chain"][number] {
  return { ...row, claimed: JSON.parse(claimed), allAuthorized: allAuthorized === 1 };
}
