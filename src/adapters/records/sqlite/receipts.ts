import type { DatabaseSync } from "node:sqlite";
import type { AnchorCounts, BlobAnchor, HourOfAnswers, IssuedReceipt } from "#ports.ts";

/** The statements on receipts and anchors: history, which is added to and never changed. history.ts pages through it. */
export function receiptTables(database: DatabaseSync) {
  const insert = database.prepare(
    `INSERT INTO receipts (answer_id, agent_id, created_at, body) VALUES (:answerId, :agentId, :createdAt, :body)`,
  );
  const insertAnswer = database.prepare(
    "INSERT INTO answers (answer_id, agent_id, is_verified, namespaces) VALUES (?, ?, ?, ?)",
  );
  const countAnswer = database.prepare(
    `INSERT INTO answer_hours (hour, answers, used, verified, intact) VALUES (?, 1, ?, ?, ?)
     ON CONFLICT DO UPDATE SET answers = answers + 1, used = used + excluded.used,
       verified = verified + excluded.verified, intact = intact + excluded.intact`,
  );
  const hoursSince = database.prepare(
    "SELECT hour, answers, used, verified, intact FROM answer_hours WHERE hour >= ? ORDER BY hour",
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

  const countAnchors = database.prepare(
    `SELECT (SELECT count(*) FROM anchors) AS blobs, (SELECT count(*) FROM chain_anchors) AS onLedger,
       (SELECT count(*) FROM chain_requests WHERE receipt_id IS NULL) AS pending`,
  );

  return {
    add({ answerId, agentId, createdAt, namespaces, used, verified, intact, body }: IssuedReceipt): void {
      insert.run({ answerId, agentId, createdAt, body });
      insertAnswer.run(answerId, agentId, Number(verified === used && intact === used), JSON.stringify(namespaces));
      countAnswer.run(createdAt.slice(0, 13), used, verified, intact);
    },

    byHour: (since: string) => hoursSince.all(since) as unknown as HourOfAnswers[],
    anchorCounts: () => countAnchors.get() as unknown as AnchorCounts,

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
