import type { Sql } from "#adapters/records/shared/sql.ts";
import type { AnchorCounts, AnchorRecords, BlobAnchor } from "#ports.ts";
import { putLeases } from "./leases.ts";

// Anchors are append-only.
const ADD = `
  INSERT INTO anchors (blob_id, digest, answer_id, issued_answer, anchored_at, body)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`;
const PAGE = `
  SELECT blob_id AS "blobId", digest, answer_id AS "answerId", issued_answer IS NOT NULL AS issued,
    anchored_at AS "anchoredAt", body
  FROM anchors WHERE blob_id > $1 ORDER BY blob_id LIMIT $2`;
const COUNT = `
  SELECT (SELECT count(*) FROM anchors) AS blobs, (SELECT count(*) FROM chain_anchors) AS "onLedger",
    (SELECT count(*) FROM chain_requests WHERE receipt_id IS NULL) AS pending`;

export function anchorRecords(sql: Sql): AnchorRecords {
  return {
    add({ blobId, digest, answerId, issued, anchoredAt, body }, lease) {
      const values = [blobId, digest, answerId, issued ? answerId : null, anchoredAt, body];
      return sql.write({ text: ADD, values }, ...putLeases([lease]));
    },
    async page({ after = "", limit }) {
      const rows = await sql.rows<BlobAnchor>({ text: PAGE, values: [after, limit] });
      return rows.map((row) => ({ ...row, issued: Boolean(row.issued) }));
    },
    counts: async () => (await sql.row<AnchorCounts>({ text: COUNT })) as AnchorCounts,
  };
}
