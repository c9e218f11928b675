import type { BlobAnchor, IssuedReceipt } from "#ports.ts";
import type { Statement } from "./connection/database.ts";

// Receipts and anchors are history, which is added to and never changed. history.ts pages through it.

const ADD = `
  WITH added AS (
    SELECT * FROM json_to_recordset($1::json) AS added ("answerId" text, "agentId" text, "createdAt" text,
      namespaces text[], used bigint, verified bigint, intact bigint, body text)
  ),
  kept AS (
    INSERT INTO receipts (answer_id, agent_id, created_at, body)
    SELECT "answerId", "agentId", "createdAt", body FROM added
  ),
  noted AS (
    INSERT INTO answers (answer_id, agent_id, is_verified, namespaces)
    SELECT "answerId", "agentId", verified = used AND intact = used, namespaces FROM added
  )
  INSERT INTO answer_hours AS known (hour, part, answers, used, verified, intact)
  SELECT left("createdAt", 13) AS hour, $2::integer, count(*), sum(used), sum(verified), sum(intact)
  FROM added GROUP BY 1 ORDER BY 1
  ON CONFLICT (hour, part) DO UPDATE SET answers = known.answers + excluded.answers, used = known.used + excluded.used,
    verified = known.verified + excluded.verified, intact = known.intact + excluded.intact`;

/** Receipts are all or none: one that cannot be recorded takes the others with it. */
export const addReceipts = (receipts: readonly IssuedReceipt[], part: number): Statement => ({
  text: ADD,
  values: [JSON.stringify(receipts), part],
});

export const answersSince = (hour: string): Statement => ({
  text: `SELECT hour, sum(answers)::bigint AS answers, sum(used)::bigint AS used, sum(verified)::bigint AS verified,
           sum(intact)::bigint AS intact
         FROM answer_hours WHERE hour >= $1 GROUP BY hour ORDER BY hour`,
  values: [hour],
});

export const countAnchors: Statement = {
  text: `SELECT (SELECT count(*) FROM anchors) AS blobs, (SELECT count(*) FROM chain_anchors) AS "onLedger",
           (SELECT count(*) FROM chain_requests WHERE receipt_id IS NULL) AS pending`,
  values: [],
};

export const findReceipt = (answerId: string, body: string): Statement => ({
  text: "SELECT FROM receipts WHERE answer_id = $1 AND body = $2",
  values: [answerId, body],
});

export function addAnchor({ blobId, digest, answerId, issued, anchoredAt, body }: BlobAnchor): Statement {
  return {
    text: `INSERT INTO anchors (blob_id, digest, answer_id, issued_answer, anchored_at, body)
           VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    values: [blobId, digest, answerId, issued ? answerId : null, anchoredAt, body],
  };
}

export const anchorPage = ({ after = "", limit }: { after?: string; limit: number }): Statement => ({
  text: `SELECT blob_id AS "blobId", digest, answer_id AS "answerId", issued_answer IS NOT NULL AS issued,
           anchored_at AS "anchoredAt", body
         FROM anchors WHERE blob_id > $1 ORDER BY blob_id LIMIT $2`,
  values: [after, limit],
});
