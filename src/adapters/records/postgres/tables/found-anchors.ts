// Finds anchors by any of their ids. Each look-up is a short range of an index, so that none takes longer than another.
import { type Database, READ_SNAPSHOT } from "#adapters/records/postgres/connection/database.ts";
import { isSealedAnchor } from "#adapters/records/shared/receipts/receipt-pages.ts";
import type { FoundAnchors, FoundBlob, FoundOnLedger } from "#ports.ts";

const IS_SEALED = `coalesce(${isSealedAnchor((name) => `anchors.body::json -> '${name}'`)}, false) AS sealed`;

const BLOB_IDS = ["blob_id", "digest", "issued_answer"]
  .map((column) => `(SELECT blob_id FROM anchors WHERE ${column} = $1 AND issued_answer IS NOT NULL LIMIT $2)`)
  .join(" UNION ");
const BLOBS = `
  SELECT blob_id AS "blobId", digest, anchored_at AS "anchoredAt", ${IS_SEALED}
  FROM anchors WHERE blob_id IN (${BLOB_IDS}) ORDER BY anchored_at, blob_id LIMIT $2`;

const onLedgerBy = (column: string, value: string) =>
  `(SELECT receipt_id FROM chain_anchors WHERE ${column} = ${value} ORDER BY anchored_at, receipt_id LIMIT $2)`;
const RECEIPT_IDS = [
  ...["receipt_id", "digest", "blob_id", "tx_digest"].map((column) => onLedgerBy(column, "$1")),
  `(SELECT receipt_id FROM (SELECT digest FROM anchors WHERE issued_answer = $1 LIMIT $2) AS forms
     CROSS JOIN LATERAL ${onLedgerBy("chain_anchors.digest", "forms.digest")} AS of_form)`,
].join(" UNION ");
const ON_LEDGER = `
  SELECT receipt_id AS "receiptId", tx_digest AS "txDigest", chain_anchors.blob_id AS "blobId", chain_anchors.digest,
    all_authorized AS "allAuthorized", chain_anchors.anchored_at AS "anchoredAt", issued_answer IS NOT NULL AS issued,
    ${IS_SEALED}
  FROM chain_anchors LEFT JOIN anchors ON anchors.blob_id = chain_anchors.blob_id
  WHERE receipt_id IN (${RECEIPT_IDS}) ORDER BY chain_anchors.anchored_at, receipt_id LIMIT $2`;

export async function findAnchors(database: Database, id: string, limit: number): Promise<FoundAnchors> {
  const values = [id, limit];
  const statements = [BLOBS, ON_LEDGER].map((text) => ({ text, values }));
  const [blobs = [], onLedger = []] = await database.transaction(statements, { begin: READ_SNAPSHOT });
  return { blobs: blobs as FoundBlob[], onLedger: onLedger as FoundOnLedger[] };
}
