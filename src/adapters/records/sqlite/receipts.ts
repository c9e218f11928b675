import type { DatabaseSync } from "node:sqlite";
import type { BlobAnchor, IssuedReceipt } from "../../../ports.ts";

/** The statements on receipts and anchors: history, which is added to and never changed. */
export function receiptTables(database: DatabaseSync) {
  const insert = database.prepare(
    `INSERT INTO receipts (answer_id, agent_id, created_at, body) VALUES (:answerId, :agentId, :createdAt, :body)`,
  );
  const find = database.prepare("SELECT 1 FROM receipts WHERE answer_id = ? AND body = ?");
  const insertAnchor = database.prepare(
    `INSERT INTO anchors (blob_id, digest, answer_id, issued_answer, anchored_at, body)
     VALUES (:blobId, :digest, :answerId, :issuedAnswer, :anchoredAt, :body) ON CONFLICT DO NOTHING`,
  );
  const anchorPage = database.prepare(
    `SELECT blob_id AS blobId, digest, answer_id AS answerId, issued_answer IS NOT NULL AS issued,
       anchored_at AS anchoredAt, body
     FROM anchors WHERE blob_id > ? ORDER BY blob_id LIMIT ?`,
  );

  return {
    add({ answerId, agentId, createdAt, body }: IssuedReceipt): void {
      insert.run({ answerId, agentId, createdAt, body });
    },

    isIssued: (answerId: string, body: string): boolean => find.get(answerId, body) !== undefined,

    anchor({ blobId, digest, answerId, issued, anchoredAt, body }: BlobAnchor): void {
      insertAnchor.run({ blobId, digest, answerId, issuedAnswer: issued ? answerId : null, anchoredAt, body });
    },

    anchors({ after = "", limit }: { after?: string; limit: number }): BlobAnchor[] {
      const rows = anchorPage.all(after, limit) as unknown as (Omit<BlobAnchor, "issued"> & { issued: number })[];
      return rows.map(({ issued, ...row }) => ({ ...row, issued: issued === 1 }));
    },
  };
}
