// Receipts: read, anchored, verified.
import { z } from "zod";
import { ANCHOR_BODY_BYTES, toAnchor, toAnchorOnChain } from "#contract/schemas/anchoring.ts";
import { allBlocked, anchored, answerId, receiptEntry, receiptStatus, verified } from "#contract/schemas/history.ts";
import { objectId, verification } from "#contract/schemas/ledger.ts";
import { nextCursorOfSearch, pageBy } from "#contract/schemas/paging.ts";
import { anchoredOnChain, recorded, storedUntil } from "#contract/schemas/resources.ts";
import type { Rows } from "./row.ts";

export const receiptRows = {
  listReceipts: {
    summary: "The receipts on record, newest first, with their anchors. One request looks at 20,000 at most.",
    query: pageBy(/^[\w-]{1,64}$/).extend({
      agentId: recorded.agentId.optional(),
      namespace: recorded.namespace.optional().describe("Used by the answer, or blocked."),
      anchored,
      verified,
      status: receiptStatus.optional(),
    }),
    response: z.object({ receipts: z.array(receiptEntry), nextCursor: nextCursorOfSearch }),
    streams: "reply",
  },
  getReceipt: {
    summary: "One receipt on record, with its anchors.",
    params: z.object({ answerId }),
    response: receiptEntry,
    streams: "reply",
  },
  listBlocked: {
    summary: "All namespaces that were blocked for an answer. Its receipt lists the first 1,000.",
    params: z.object({ answerId }),
    response: allBlocked,
    streams: "pieces",
  },
  anchorReceipt: {
    summary: "Store a receipt as a blob and check that the blob resolves.",
    body: toAnchor,
    bodyLimit: ANCHOR_BODY_BYTES,
    response: z.object({ blobId: z.string(), verified: z.boolean(), storedUntil }),
    idempotent: "anchor",
  },
  anchorOnChain: {
    summary: "Store a receipt as a blob and record its digest on the ledger, with the namespaces that it claims.",
    body: toAnchorOnChain,
    bodyLimit: ANCHOR_BODY_BYTES,
    response: anchoredOnChain,
    idempotent: "anchor",
  },
  verify: {
    summary: "Verify an anchored receipt from the ledger's object and the raw bytes of the blobs.",
    params: z.object({ receiptId: objectId }),
    query: z.object({
      deep: z.enum(["0", "1"]).optional().describe("1: derive every blob id from its bytes. Takes seconds."),
    }),
    response: verification,
  },
} as const satisfies Rows;
