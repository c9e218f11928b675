import { publishedBy } from "#adapters/records/shared/receipts/published-blobs.ts";
import type { AnchorCounts, AnchorRecords, BlobAnchor } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";
import { foundAnchors } from "./pages/found-anchors.ts";
import type { Tables } from "./tables/tables.ts";

type AnchorRow = Omit<BlobAnchor, "issued"> & { readonly issued: number };

/** Anchors are append-only. */
export function anchorRecords(
  { database, read, write }: Connection,
  { leases, decisions, events }: Pick<Tables, "leases" | "decisions" | "events">,
): AnchorRecords {
  const insert = database.prepare(
    `INSERT INTO anchors (blob_id, digest, answer_id, issued_answer, anchored_at, body)
     VALUES (:blobId, :digest, :answerId, :issuedAnswer, :anchoredAt, :body) ON CONFLICT DO NOTHING`,
  );
  const agentOf = database.prepare("SELECT agent_id AS agentId FROM receipts WHERE answer_id = ?");
  const publish = database.prepare("INSERT INTO published_blobs VALUES (?) ON CONFLICT DO NOTHING");
  const published = database.prepare("SELECT 1 FROM published_blobs WHERE blob_id = ?");
  const pageAfter = database.prepare(
    `SELECT blob_id AS blobId, digest, answer_id AS answerId, issued_answer IS NOT NULL AS issued,
       anchored_at AS anchoredAt, body
     FROM anchors WHERE blob_id > ? ORDER BY blob_id LIMIT ?`,
  );
  const count = database.prepare(
    `SELECT (SELECT count(*) FROM anchors) AS blobs, (SELECT count(*) FROM chain_anchors) AS onLedger,
       (SELECT count(*) FROM chain_requests WHERE receipt_id IS NULL) AS pending`,
  );

  const find = foundAnchors(database);

  return {
    add: (anchor, lease, decision) =>
      write(() => {
        const { blobId, digest, answerId, issued, anchoredAt, body } = anchor;
        const issuedAnswer = issued ? answerId : null;
        const { changes } = insert.run({ blobId, digest, answerId, issuedAnswer, anchoredAt, body });
        for (const id of publishedBy(anchor)) {
          publish.run(id);
          leases.markPublished(id);
        }
        if (lease !== undefined) leases.put(lease);
        decisions.add(decision);
        if (changes === 0) return;
        const agentId = issued ? String(agentOf.get(answerId)?.agentId) : null;
        events.add({ at: anchoredAt, kind: "receipt-anchored", answerId, agentId, blobId });
      }),
    isPublished: (blobId) => read(() => published.get(blobId) !== undefined),
    find: (id, limit) => read(() => find(id, limit)),
    page: ({ after = "", limit }) =>
      read(() => {
        const rows = pageAfter.all(after, limit) as unknown as AnchorRow[];
        return rows.map((row) => ({ ...row, issued: row.issued === 1 }));
      }),
    counts: () => read(() => count.get() as unknown as AnchorCounts),
  };
}
