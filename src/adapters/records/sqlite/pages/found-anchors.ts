// Finds anchors by any of their ids. Each look-up is a short range of an index, so that none takes longer than another.
import type { DatabaseSync } from "node:sqlite";
import { isSealedAnchor } from "#adapters/records/shared/receipts/receipt-pages.ts";
import type { FoundAnchors, FoundBlob, FoundOnLedger } from "#ports.ts";

const IS_SEALED = `coalesce(${isSealedAnchor((name) => `json_type(anchors.body, '$.${name}')`)}, 0) AS sealed`;

type Flags<T, Key extends keyof T> = Omit<T, Key> & Readonly<Record<Key, number>>;
type BlobRow = Flags<FoundBlob, "sealed">;
type LedgerRow = Flags<FoundOnLedger, "sealed" | "issued" | "allAuthorized">;

/** Several statements that must see one state: run it in one transaction. */
export function foundAnchors(database: DatabaseSync): (id: string, limit: number) => FoundAnchors {
  const blobsBy = (column: string) =>
    database.prepare(
      `SELECT blob_id AS blobId, digest, anchored_at AS anchoredAt, ${IS_SEALED} FROM anchors
       WHERE ${column} = ? AND issued_answer IS NOT NULL LIMIT ?`,
    );
  const onLedgerBy = (column: string) =>
    database.prepare(
      `SELECT found.receipt_id AS receiptId, found.tx_digest AS txDigest, found.blob_id AS blobId, found.digest,
         found.all_authorized AS allAuthorized, found.anchored_at AS anchoredAt, issued_answer IS NOT NULL AS issued,
         ${IS_SEALED}
       FROM (SELECT * FROM chain_anchors WHERE ${column} = ? ORDER BY anchored_at, receipt_id LIMIT ?) AS found
         LEFT JOIN anchors ON anchors.blob_id = found.blob_id`,
    );
  const blobs = ["blob_id", "digest", "issued_answer"].map(blobsBy);
  const byDigest = onLedgerBy("digest");
  const onLedger = [...["receipt_id", "blob_id", "tx_digest"].map(onLedgerBy), byDigest];

  return (id, limit) => {
    const ofReceipts = blobs.flatMap((find) => find.all(id, limit) as unknown as BlobRow[]);
    const digests = new Set(ofReceipts.map(({ digest }) => digest));
    const ofLedger = [
      ...onLedger.flatMap((find) => find.all(id, limit) as unknown as LedgerRow[]),
      ...[...digests].flatMap((digest) => byDigest.all(digest, limit) as unknown as LedgerRow[]),
    ];
    return {
      blobs: oldest(ofReceipts, ({ blobId }) => blobId, limit).map(toBlob),
      onLedger: oldest(ofLedger, ({ receiptId }) => receiptId, limit).map(toOnLedger),
    };
  };
}

/** Each once, the oldest first. */
function oldest<R extends { readonly anchoredAt: string }>(
  rows: readonly R[],
  idOf: (row: R) => string,
  limit: number,
) {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  const key = (row: R) => `${row.anchoredAt} ${idOf(row)}`;
  return [...byId.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1)).slice(0, limit);
}

const toBlob = ({ sealed, ...row }: BlobRow): FoundBlob => ({ ...row, sealed: sealed === 1 });

const toOnLedger = ({ sealed, issued, allAuthorized, ...row }: LedgerRow): FoundOnLedger => ({
  ...row,
  sealed: sealed === 1,
  issued: issued === 1,
  allAuthorized: allAuthorized === 1,
});
