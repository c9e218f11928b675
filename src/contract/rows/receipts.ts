// Receipts: read, anchored, verified.
import { z } from "zod";
import { ANCHOR_BODY_BYTES, toAnchor, toAnchorOnChain } from "#contract/schemas/anchoring.ts";
import {
  allBlocked,
  anchored,
  anchorId,
  answerId,
  foundAnchors,
  receiptEntry,
  receiptStatus,
  verified,
} from "#contract/schemas/history.ts";
import { objectId, verification } from "#contract/schemas/ledger.ts";
import { instant } from "#contract/schemas/logs.ts";
import { nextCursorOfSearch, pageBy } from "#contract/schemas/paging.ts";
import { anchoredOnChain, recorded, storedUntil, text } from "#contract/schemas/resources.ts";
import { id, listed } from "#contract/schemas/scalars.ts";
import type { Rows } from "./row.ts";

const ANCHOR = [
  "not-found",
  "receipt-incomplete",
  "cannot-be-sealed",
  "memory-forgotten",
  "policy-changed",
  "blob-store-failed",
] as const;
const LEDGER = ["ledger-refused", "ledger-no-gas", "ledger-unavailable", "ledger-timeout"] as const;

export const receiptRows = {
  listReceipts: {
    summary: "The receipts on record, newest first, with their anchors. One request looks at 20,000 at most.",
    query: pageBy(/^[\w-]{1,64}$/).extend({
      agentId: recorded.agentId.optional(),
      namespace: recorded.namespace.optional().describe("Used by the answer, or blocked."),
      anchored,
      verified,
      status: receiptStatus.optional(),
      model: text(500, "The name of the model that was asked.").optional(),
      from: instant.optional().describe("Of answers from this time on, `2026-01-02T03:04:05.678Z` for example."),
      to: instant.optional().describe("Of answers before this time."),
    }),
    response: z.object({ receipts: listed(receiptEntry), nextCursor: nextCursorOfSearch }),
    streams: "reply",
    problems: ["policy-changed"],
  },
  getReceipt: {
    summary: "One receipt on record, with its anchors.",
    params: z.object({ answerId }),
    response: receiptEntry,
    streams: "reply",
    problems: ["not-found", "policy-changed", "ledger-refused", "ledger-unavailable"],
  },
  listBlocked: {
    summary: "All namespaces that were blocked for an answer. Its receipt lists the first 1,000.",
    params: z.object({ answerId }),
    response: allBlocked,
    streams: "pieces",
    problems: ["not-found"],
  },
  anchorReceipt: {
    summary: "Store a receipt as a blob and check that the blob resolves.",
    body: toAnchor,
    bodyLimit: ANCHOR_BODY_BYTES,
    response: z.object({ blobId: id, verified: z.boolean(), storedUntil }),
    problems: [...ANCHOR],
  },
  anchorOnChain: {
    summary: "Store a receipt as a blob and record its digest on the ledger, with the namespaces that it claims.",
    body: toAnchorOnChain,
    bodyLimit: ANCHOR_BODY_BYTES,
    response: anchoredOnChain,
    problems: [...ANCHOR, "version-not-on-ledger", "signing-key-ended", "receipt-not-on-record", ...LEDGER],
  },
  findAnchors: {
    summary: "The anchors that anyone may know of, by any id of theirs. What is not anchored is not found.",
    params: z.object({ id: anchorId }),
    response: foundAnchors,
    problems: ["not-found"],
  },
  verify: {
    summary: "Verify an anchored receipt from the ledger's object and the raw bytes of the blobs.",
    params: z.object({ receiptId: objectId }),
    query: z.object({
      deep: z.enum(["0", "1"]).optional().describe("1: derive every blob id from its bytes. Takes seconds."),
    }),
    response: verification,
    problems: ["verifier-busy"],
  },
} as const satisfies Rows;
