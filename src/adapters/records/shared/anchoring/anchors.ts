// Blobs of receipts that were anchored. They are append-only.

import { decisionStatements } from "#adapters/records/shared/logs/decisions.ts";
import { eventStatements } from "#adapters/records/shared/logs/events.ts";
import { isSealedAnchor } from "#adapters/records/shared/receipts/receipt-pages.ts";
import { reader } from "#adapters/records/shared/rows.ts";
import type { Database } from "#adapters/records/shared/sql/database.ts";
import { either, insertRows, NOW } from "#adapters/records/shared/sql/dialect.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import type { AnchorCounts, AnchorRecords, BlobAnchor, FoundAnchors, FoundBlob, FoundOnLedger } from "#ports.ts";
import { leaseStatements } from "./leases.ts";

const toAnchor = reader<BlobAnchor>({ flags: ["issued"] });
const toBlob = reader<FoundBlob>({ flags: ["sealed"] });
const toFoundOnLedger = reader<FoundOnLedger>({ flags: ["sealed", "issued", "allAuthorized"] });

/** Answers with a row if there was no such anchor. */
const ADD = `
  INSERT INTO anchors (tenant, blob_id, digest, answer_id, issued_answer, anchored_at, body)
  VALUES ($tenant, $1, $2, $3, $4, $5, $6)
  ON CONFLICT DO NOTHING
  RETURNING (SELECT agent_id FROM receipts WHERE tenant = $tenant AND receipts.answer_id = anchors.issued_answer) AS "agentId"`;
const PUBLISHED = "SELECT 1 FROM published WHERE tenant = $tenant AND id = $1 AND kind = 'blob'";
const PAGE = `
  SELECT blob_id AS "blobId", digest, answer_id AS "answerId", issued_answer IS NOT NULL AS issued,
    anchored_at AS "anchoredAt", body
  FROM anchors WHERE tenant = $tenant AND blob_id > $1 ORDER BY blob_id LIMIT $2`;
const COUNT = `
  SELECT (SELECT count(*) FROM anchors WHERE tenant = $tenant) AS blobs,
    (SELECT count(*) FROM chain_anchors WHERE tenant = $tenant) AS "onLedger",
    (SELECT count(*) FROM chain_requests WHERE tenant = $tenant AND receipt_id IS NULL) AS pending`;

const publish = insertRows<{ id: string; kind: string }>(
  { id: "text", kind: "text" },
  "published (tenant, id, kind, published_at)",
  `$tenant, :id, :kind, ${NOW}`,
  { tail: "ON CONFLICT DO NOTHING" },
);

export function anchorRecords(database: Database): AnchorRecords {
  const { rows, row } = database;
  return {
    add(anchor, lease, decision) {
      const { blobId, digest, answerId, issued, anchoredAt: at, body } = anchor;
      const { blobIds, memoryIds } = publishedBy(anchor);
      const statements = [
        ...publish([
          ...blobIds.map((id) => ({ id, kind: "blob" })),
          ...memoryIds.map((id) => ({ id, kind: "memory" })),
        ]),
        leaseStatements.markPublished(blobIds),
        ...leaseStatements.put(lease === undefined ? [] : [lease]),
        ...decisionStatements.add([decision]),
      ];
      const add = { text: ADD, values: [blobId, digest, answerId, issued ? answerId : null, at, body] };
      return database.readThenWrite([add], ([added = []]) => {
        const [{ agentId } = { agentId: null }] = added as { agentId: string | null }[];
        const event = { at, kind: "receipt-anchored" as const, answerId, agentId, blobId };
        return {
          statements: [...statements, ...eventStatements.add(added.length > 0 ? [event] : [])],
          outcome: undefined,
        };
      });
    },
    isPublished: async (blobId) => (await row({ text: PUBLISHED, values: [blobId] })) !== undefined,
    find: anchorSearch(database),
    async page({ after = "", limit }) {
      return (await rows<object>({ text: PAGE, values: [after, limit] })).map(toAnchor);
    },
    counts: async () => (await row<AnchorCounts>({ text: COUNT, values: [] })) as AnchorCounts,
  };
}

/** What an anchor makes public: an issued receipt, and the memories that it names. A sealed one names none. */
function publishedBy({ issued, blobId, body }: BlobAnchor) {
  if (!issued) return { blobIds: [], memoryIds: [] };
  const { usedMemories = [] } = JSON.parse(body) as Partial<AnswerReceipt>;
  return {
    blobIds: [...new Set([blobId, ...usedMemories.map(({ storeRef }) => storeRef)])],
    memoryIds: [...new Set(usedMemories.map(({ memoryId }) => memoryId))],
  };
}

const limited = (query: string) => `SELECT * FROM (${query} LIMIT $2) AS found`;

/** The anchors on the ledger of the forms of an answer's receipt. Of each form, PostgreSQL looks up no more than needed. */
const OF_FORMS = either(
  `SELECT receipt_id FROM (SELECT tenant, digest FROM anchors WHERE tenant = $tenant AND issued_answer = $1 LIMIT $2)
     CROSS JOIN chain_anchors USING (tenant, digest)
   ORDER BY anchored_at, receipt_id`,
  `SELECT receipt_id FROM (SELECT digest FROM anchors WHERE tenant = $tenant AND issued_answer = $1 LIMIT $2) AS forms
   CROSS JOIN LATERAL (
     SELECT receipt_id, anchored_at FROM chain_anchors
     WHERE chain_anchors.tenant = $tenant AND chain_anchors.digest = forms.digest
     ORDER BY anchored_at, receipt_id LIMIT $2) AS of_form ORDER BY anchored_at, receipt_id`,
);
const isSealed = `coalesce(${isSealedAnchor("anchors.body")}, false) AS sealed`;
const blobIds = ["blob_id", "digest", "issued_answer"].map((column) =>
  limited(`SELECT blob_id FROM anchors WHERE tenant = $tenant AND ${column} = $1 AND issued_answer IS NOT NULL`),
);
const BLOBS = `
  SELECT blob_id AS "blobId", digest, anchored_at AS "anchoredAt", ${isSealed}
  FROM anchors WHERE tenant = $tenant AND blob_id IN (${blobIds.join(" UNION ")}) ORDER BY anchored_at, blob_id LIMIT $2`;
const receiptIds = [
  ...["receipt_id", "digest", "blob_id", "tx_digest"].map((column) =>
    limited(
      `SELECT receipt_id FROM chain_anchors WHERE tenant = $tenant AND ${column} = $1 ORDER BY anchored_at, receipt_id`,
    ),
  ),
  limited(OF_FORMS),
];
const ON_LEDGER = `
  SELECT receipt_id AS "receiptId", tx_digest AS "txDigest", chain_anchors.blob_id AS "blobId", chain_anchors.digest,
    all_authorized AS "allAuthorized", chain_anchors.anchored_at AS "anchoredAt", issued_answer IS NOT NULL AS issued,
    ${isSealed}
  FROM chain_anchors LEFT JOIN anchors ON anchors.tenant = $tenant AND anchors.blob_id = chain_anchors.blob_id
  WHERE chain_anchors.tenant = $tenant AND receipt_id IN (${receiptIds.join(" UNION ")})
  ORDER BY chain_anchors.anchored_at, receipt_id LIMIT $2`;

/** Finds anchors by any of their ids. Each look-up is a short range of an index, so that none takes longer than another. */
function anchorSearch({ snapshot }: Database): (id: string, limit: number) => Promise<FoundAnchors> {
  return async (id, limit) => {
    const statements = [BLOBS, ON_LEDGER].map((text) => ({ text, values: [id, limit] }));
    const [blobs = [], onLedger = []] = (await snapshot(statements)) as object[][];
    return { blobs: blobs.map(toBlob), onLedger: onLedger.map(toFoundOnLedger) };
  };
}
