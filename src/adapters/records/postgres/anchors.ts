import { publishedBy } from "#adapters/records/shared/receipts/published-blobs.ts";
import type { AnchorCounts, AnchorRecords, BlobAnchor } from "#ports.ts";
import type { Database, Statement } from "./connection/database.ts";
import { addDecisions } from "./logs/decisions.ts";
import { addEventsOf } from "./logs/events.ts";
import { findAnchors } from "./tables/found-anchors.ts";
import { markPublished, putLeases } from "./tables/leases.ts";

// Anchors are append-only.
const ADD = `
  WITH added AS (
    INSERT INTO anchors (blob_id, digest, answer_id, issued_answer, anchored_at, body)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING blob_id, answer_id, issued_answer, anchored_at
  ),
  anchored AS (
    SELECT anchored_at AS at, json_build_object('answerId', answer_id, 'blobId', blob_id,
      'agentId', (SELECT agent_id FROM receipts WHERE receipts.answer_id = issued_answer))::text AS data
    FROM added
  ),
  ${addEventsOf("anchored", "receipt-anchored")}`;
const PUBLISH = "INSERT INTO published_blobs SELECT unnest($1::text[]) ON CONFLICT DO NOTHING";
const PUBLISHED = "SELECT 1 FROM published_blobs WHERE blob_id = $1";
const PAGE = `
  SELECT blob_id AS "blobId", digest, answer_id AS "answerId", issued_answer IS NOT NULL AS issued,
    anchored_at AS "anchoredAt", body
  FROM anchors WHERE blob_id > $1 ORDER BY blob_id LIMIT $2`;
const COUNT: Statement = {
  text: `SELECT (SELECT count(*) FROM anchors) AS blobs, (SELECT count(*) FROM chain_anchors) AS "onLedger",
           (SELECT count(*) FROM chain_requests WHERE receipt_id IS NULL) AS pending`,
  values: [],
};

export function anchorRecords(database: Database): AnchorRecords {
  return {
    add(anchor, lease, decision) {
      const { blobId, digest, answerId, issued, anchoredAt, body } = anchor;
      const values = [blobId, digest, answerId, issued ? answerId : null, anchoredAt, body];
      const published = publishedBy(anchor);
      return database.write(
        { text: PUBLISH, values: [published] },
        markPublished(published),
        ...putLeases(lease === undefined ? [] : [lease]),
        ...addDecisions([decision]),
        { text: ADD, values },
      );
    },
    isPublished: async (blobId) => (await database.row({ text: PUBLISHED, values: [blobId] })) !== undefined,
    find: (id, limit) => findAnchors(database, id, limit),
    page: ({ after = "", limit }) => database.rows<BlobAnchor>({ text: PAGE, values: [after, limit] }),
    counts: async () => (await database.row<AnchorCounts>(COUNT)) as AnchorCounts,
  };
}
