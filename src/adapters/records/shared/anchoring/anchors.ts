// Blobs of receipts that were anchored. They are append-only.
import { addTo, throwIfLimitReached } from "#adapters/records/shared/limits.ts";
import { decisionStatements } from "#adapters/records/shared/logs/decisions.ts";
import { eventStatements } from "#adapters/records/shared/logs/events.ts";
import { isSealedAnchor } from "#adapters/records/shared/receipts/receipt-pages.ts";
import * as sql from "#adapters/records/shared/sql.ts";
import type { AnswerReceipt, UsedMemory } from "#core/receipt/receipt.ts";
import type { AnchorCounts, AnchorRecords, BlobAnchor, FoundBlob, FoundOnLedger, RecordLimits } from "#ports.ts";
import { leaseStatements } from "./leases.ts";

const ANCHOR = "blobId digest answerId issuedAnswer anchoredAt body";
/** Answers with a row if there was no such anchor. */
const ADD = sql.insertRow<{ agentId: string | null }>("anchors", ANCHOR, {
  tail: `ON CONFLICT DO NOTHING
    RETURNING (SELECT agent_id FROM receipts WHERE tenant = $tenant AND receipts.answer_id = anchors.issued_answer) AS "agentId"`,
});
const PUBLISHED = sql.statement`SELECT 1 FROM published WHERE tenant = $tenant AND id = $1 AND kind = 'blob'`;
const PAGE = sql.reading(sql.reader<BlobAnchor>({ flags: ["issued"] }))`
  SELECT ${sql.columns("blobId digest answerId anchoredAt body")}, issued_answer IS NOT NULL AS issued
  FROM anchors WHERE tenant = $tenant AND blob_id > $1 ORDER BY blob_id LIMIT $2`;
const COUNT = sql.statement<AnchorCounts>`
  SELECT (SELECT count(*) FROM anchors WHERE tenant = $tenant) AS blobs,
    (SELECT count(*) FROM chain_anchors WHERE tenant = $tenant) AS "onLedger",
    (SELECT count(*) FROM chain_requests WHERE tenant = $tenant AND receipt_id IS NULL) AS pending`;

/** Of an anchor on the ledger, `imported` is said. Of what a receipt publishes, the records of it and of the memory tell. */
interface Published extends Partial<Pick<UsedMemory & BlobAnchor, "answerId" | "memoryId">> {
  readonly id: string;
  readonly kind: "anchor" | "blob" | "memory";
  readonly imported?: boolean;
}

const addPublished = sql.insertRows<Published>("published", "id kind", {
  values: {
    imported: `(:imported OR EXISTS (SELECT 1 FROM imported_receipts WHERE tenant = $tenant AND answer_id = :answerId)
      OR EXISTS (SELECT 1 FROM imported_memories WHERE tenant = $tenant AND memory_id = :memoryId))`,
    published_at: sql.NOW,
  },
  further: "imported:boolean answerId memoryId",
  tail: `ON CONFLICT (tenant, id) DO UPDATE SET imported = false, published_at = excluded.published_at
    WHERE published.imported AND NOT excluded.imported`,
});

/** In one order, so that no two commits deadlock. */
export function publish(published: readonly Published[]): sql.Statement[] {
  const rows = published.map((each) => ({ imported: false, answerId: "", memoryId: "", ...each }));
  return addPublished(rows.sort((a, b) => (a.id < b.id ? -1 : 1)));
}

export function anchorRecords(database: sql.Database, limits: RecordLimits): AnchorRecords {
  const { rows, row } = database;
  return {
    add(anchor, lease, decision) {
      const { blobId, answerId, issued, anchoredAt: at } = anchor;
      const published = publishedBy(anchor);
      const statements = [
        ...publish(published),
        leaseStatements.markPublished(published.flatMap(({ id, kind }) => (kind === "blob" ? id : []))),
        ...leaseStatements.put(lease === undefined ? [] : [lease]),
        ...decisionStatements.add([decision]),
      ];
      const add = ADD({ ...anchor, issuedAnswer: issued ? answerId : null });
      const record = database.readThenWrite([add], ([added]) => {
        // A receipt on record has two anchors at most.
        const counted = issued || added.length === 0 ? [] : [addTo("receipts", 1, limits)];
        const kind = "receipt-anchored";
        const events = eventStatements.add(added.map(({ agentId }) => ({ at, kind, answerId, agentId, blobId })));
        return { statements: [...counted, ...statements, ...events], outcome: undefined };
      });
      return record.catch(throwIfLimitReached(database, limits));
    },
    isPublished: async (blobId) => (await row(PUBLISHED(blobId))) !== undefined,
    // Each look-up is a short range of an index, so that none takes longer than another.
    async find(id, limit) {
      const [blobs, onLedger] = await database.snapshot([BLOBS(id, limit), ON_LEDGER(id, limit)]);
      return { blobs, onLedger };
    },
    page: ({ after = "", limit }) => rows(PAGE(after, limit)),
    counts: async () => (await row(COUNT())) as AnchorCounts,
  };
}

/** What an anchor makes public: an issued receipt, and the memories that it names. A sealed one names none. */
function publishedBy({ issued, blobId, digest, answerId, body }: BlobAnchor): Published[] {
  if (!issued) return [];
  const { usedMemories = [] } = JSON.parse(body) as Partial<AnswerReceipt>;
  const all: Published[] = [
    { id: blobId, kind: "blob", answerId },
    ...[digest, answerId].map((id) => ({ id, kind: "anchor" as const, answerId })),
    ...usedMemories.flatMap(({ memoryId, storeRef }): Published[] => [
      { id: storeRef, kind: "blob", answerId, memoryId },
      { id: memoryId, kind: "memory", answerId, memoryId },
    ]),
  ];
  return [...new Map(all.map((each) => [each.id, each])).values()];
}

const limited = (query: string) => `SELECT * FROM (${query} LIMIT $2) AS found`;

/** The anchors on the ledger of the forms of an answer's receipt. Of each form, PostgreSQL looks up no more than needed. */
const OF_FORMS = sql.either(
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
const BLOBS = sql.reading(sql.reader<FoundBlob>({ flags: ["sealed"] }))`
  SELECT ${sql.columns("blobId digest anchoredAt")}, ${isSealed}
  FROM anchors WHERE tenant = $tenant AND blob_id IN (${blobIds.join(" UNION ")}) ORDER BY anchored_at, blob_id LIMIT $2`;
const receiptIds = [
  ...["receipt_id", "digest", "blob_id", "tx_digest"].map((column) =>
    limited(
      `SELECT receipt_id FROM chain_anchors WHERE tenant = $tenant AND ${column} = $1 ORDER BY anchored_at, receipt_id`,
    ),
  ),
  limited(OF_FORMS),
];
const ON_LEDGER = sql.reading(sql.reader<FoundOnLedger>({ flags: ["sealed", "issued", "allAuthorized"] }))`
  SELECT ${sql.columns("receiptId txDigest blobId digest allAuthorized anchoredAt", "chain_anchors")},
    issued_answer IS NOT NULL AS issued, ${isSealed}
  FROM chain_anchors LEFT JOIN anchors ON anchors.tenant = $tenant AND anchors.blob_id = chain_anchors.blob_id
  WHERE chain_anchors.tenant = $tenant AND receipt_id IN (${receiptIds.join(" UNION ")})
  ORDER BY chain_anchors.anchored_at, receipt_id LIMIT $2`;
