// Pages of receipts, newest first, with what became of each. They are found in the narrow rows of `answers`.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { PageOf, ReceiptFilter, ReceiptPage, RecordedReceipt } from "#ports.ts";

type Query = PageOf<string> & ReceiptFilter;

/** After every answer id. */
const LAST = "\u{10ffff}";
/** More than there will ever be. */
const ANY = 2 ** 50;

/** Several statements that must see one state: run them in one transaction. */
export function receiptHistory(database: DatabaseSync) {
  const bodies = database.prepare(
    `SELECT receipts.answer_id AS answerId, body FROM json_each(?) AS wanted
     JOIN receipts ON receipts.answer_id = wanted.value ORDER BY wanted.key`,
  );
  const anchorOf = database.prepare(
    `SELECT blob_id AS blobId, anchored_at AS anchoredAt, digest FROM anchors WHERE issued_answer = ?
     ORDER BY anchored_at DESC, blob_id LIMIT 1`,
  );
  const chainOf = database.prepare(
    `SELECT receipt_id AS receiptId, tx_digest AS txDigest, all_authorized AS allAuthorized, claimed,
       anchored_at AS anchoredAt
     FROM chain_anchors WHERE digest = ? ORDER BY anchored_at, receipt_id`,
  );
  const pendingOf = database.prepare(
    "SELECT count(*) AS count FROM chain_requests WHERE digest = ? AND receipt_id IS NULL",
  );
  const prepared = statementsBySql(database);

  function recorded({ answerId, body }: { answerId: string; body: string }): RecordedReceipt {
    const found = anchorOf.get(answerId) as { blobId: string; anchoredAt: string; digest: string } | undefined;
    if (found === undefined) return { body, anchor: null, chain: [], pending: 0 };
    const { digest, ...anchor } = found;
    const chain = (chainOf.all(digest) as unknown as ChainRow[]).map(toMark);
    return { body, anchor, chain, pending: Number(pendingOf.get(digest)?.count) };
  }

  function withIds(answerIds: readonly string[]): RecordedReceipt[] {
    return (bodies.all(JSON.stringify(answerIds)) as { answerId: string; body: string }[]).map(recorded);
  }

  return {
    page(query: Query): ReceiptPage {
      const [sql, values] = [candidates(query), valuesOf(query)];
      const matching = `SELECT answer_id AS answerId FROM (${sql}) AS found WHERE ${conditions(query)} ORDER BY 1 DESC LIMIT :limit`;
      const rows = prepared(matching).all({ ...values, limit: query.limit + 1 }) as { answerId: string }[];
      const answerIds = rows.slice(0, query.limit).map(({ answerId }) => answerId);
      const receipts = withIds(answerIds);
      if (rows.length > query.limit) return { receipts, next: answerIds.at(-1) ?? "" };
      const looked = prepared(`SELECT count(*) AS count, min(answer_id) AS last FROM (${sql})`).get(values);
      return looked?.count === values.scan ? { receipts, next: String(looked.last) } : { receipts };
    },

    find: (answerId: string): RecordedReceipt | undefined => withIds([answerId])[0],
  };
}

/** The rows to look at: those of the index that leaves fewest. */
function candidates({ agentId, anchored }: Query): string {
  if (anchored === true) {
    return `SELECT answers.* FROM
      (SELECT DISTINCT issued_answer FROM anchors WHERE issued_answer < :before ORDER BY 1 DESC LIMIT :scan)
      CROSS JOIN answers ON answer_id = issued_answer`;
  }
  const ofAgent = agentId === undefined ? "" : "agent_id = :agentId AND";
  return `SELECT * FROM answers WHERE ${ofAgent} answer_id < :before ORDER BY answer_id DESC LIMIT :scan`;
}

/** `instr` rules most rows out cheaply; it may take a name for the end of another that has quotes in it. */
const HAS_NAMESPACE =
  "instr(namespaces, :quoted) AND EXISTS (SELECT 1 FROM json_each(namespaces) WHERE value = :namespace)";
const IS_ANCHORED = "EXISTS (SELECT 1 FROM anchors WHERE issued_answer = found.answer_id)";

function conditions({ agentId, namespace, anchored, verified }: Query): string {
  const all = [
    agentId !== undefined && "agent_id = :agentId",
    verified !== undefined && "is_verified = :verified",
    namespace !== undefined && HAS_NAMESPACE,
    anchored === false && `NOT ${IS_ANCHORED}`,
  ];
  return all.filter((condition) => condition !== false).join(" AND ") || "TRUE";
}

function valuesOf({ before = LAST, scan = ANY, agentId = "", namespace = "", verified }: Query) {
  return { before, scan, agentId, namespace, quoted: JSON.stringify(namespace), verified: Number(verified === true) };
}

/** Which filters are set decides on the text of a statement, and so there are few. */
function statementsBySql(database: DatabaseSync): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
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

function toMark({ claimed, allAuthorized, ...row }: ChainRow): RecordedReceipt["chain"][number] {
  return { ...row, claimed: JSON.parse(claimed), allAuthorized: allAuthorized === 1 };
}
