// Receipts: read, anchored, verified.
import { z } from "zod";
import * as r from "#contract/schemas/resources.ts";
import * as s from "#contract/schemas/scalars.ts";
import { BREAK_REASONS, type ReceiptToAnchor } from "#core/receipt/receipt.ts";
import { objectId, toVerify, verification } from "./ledger.ts";
import { givenInstant } from "./logs.ts";
import type { Rows } from "./row.ts";

export const answerId = s.matching(/^[\w-]{1,64}$/, "is not the id of an answer", 64).describe("The answer's id.");

const answerIds = s
  .matching(/^[\w-]{1,64}(,[\w-]{1,64}){0,99}$/, "is not a list of ids of answers", 6_500)
  .describe("Only these answers, up to 100, separated by commas.");

const yesOrNo = (yes: string) => z.enum(["yes", "no"]).optional().describe(`${yes}; no: the others.`);

const anchored = yesOrNo("yes: receipts that were stored as a blob; those on the ledger are among them");
const verified = yesOrNo("yes: receipts whose memories were all verified and intact when they were issued");

/** The most that LIMIT_NAMESPACES can be. */
const MOST_NAMESPACES = 1_000_000;

const allBlocked = s.component("AllBlocked", {
  blockedNamespaces: s.listed(s.name, MOST_NAMESPACES).describe("In UTF-8 order."),
  blockedCount: s.count,
  blockedDigest: s.digest.describe("blake2b256 of the list's canonical JSON, hex."),
});

const receiptStatus = z
  .enum(["begun", "issued", "broken-off"])
  .describe(
    "begun: the answer is in progress, and its receipt was on record before its prompt left. broken-off: the answer did not reach the caller whole.",
  );

const anchoredSealed = s.whenTrue.describe(
  "Its private fields were anchored as commitments alone. Left out otherwise.",
);

/** Of a conversation, with its JSON around it. */
const LONGEST_QUESTION = 300_000;

/** The agent, and the claims of twenty anchors. */
const MOST_NAMES = 20_001;

const receiptEntry = s.component("ReceiptEntry", {
  status: receiptStatus,
  reason: z.enum(BREAK_REASONS).exactOptional().describe("Why the answer was broken off."),
  receipt: r.viewedReceipt,
  opening: r.opening
    .optional()
    .describe("When one receipt is read by its agent or an admin, and nothing of it is left out."),
  question: z
    .string()
    .meta({ maxLength: LONGEST_QUESTION })
    .exactOptional()
    .describe(
      "For the agent and admins, where the service is set to KEEP_QUESTIONS; of a conversation that was learned from, its JSON, by KEEP_CONVERSATIONS. Never when an encrypted memory was used; gone when a used memory is forgotten.",
    ),
  names: s
    .listed(z.object({ name: s.name, salt: s.digest.describe("32 bytes, hex.") }), MOST_NAMES)
    .exactOptional()
    .describe(
      "Beside the opening, when the ledger has pseudonyms: the salts of the names that it knows of this receipt. Whoever has one recognizes that name in all receipts there.",
    ),
  anchor: z
    .object({ blobId: s.id, anchoredAt: s.instant, sealed: anchoredSealed, storedUntil: r.storedUntil })
    .nullable()
    .describe("The blob that it is stored as; the last one when there are several. Lists leave `storedUntil` out."),
  chain: s
    .listed(
      z.object({
        receiptId: s.id,
        txDigest: s.id,
        allAuthorized: z.boolean(),
        claimed: s.listed(s.name),
        anchoredAt: s.instant,
        sealed: anchoredSealed,
      }),
      20,
    )
    .describe("Its receipts on the ledger, oldest first; only the last 20."),
  pending: s.count.describe("How many requests for the ledger have no outcome yet."),
});

const anchorId = s
  .matching(/^[\w.~=-]{1,128}$/, "is not the id of an anchored receipt", 128)
  .describe(
    "Any id of it: of its object on the ledger (0x…), its transaction (base58), its blob, the digest of its bytes (hex), or its answer.",
  );

/** Of those on the ledger, and of blobs. */
const MOST_FOUND = 40;

const foundAnchors = s.component("FoundAnchors", {
  anchors: s
    .listed(
      z.object({
        kind: z.enum(["ledger", "blob"]).describe("ledger: an object on the ledger. blob: the receipt's blob itself."),
        receiptId: s.id.exactOptional().describe("The object on the ledger."),
        txDigest: s.id.exactOptional(),
        allAuthorized: z.boolean().exactOptional().describe("Whether the ledger authorized every claim."),
        blobId: s.id,
        digest: s.digest.describe("blake2b256 of the blob's bytes, hex."),
        sealed: z.boolean().describe("Whether its private fields were anchored as commitments alone."),
        issued: z.boolean().describe("Whether this service issued the receipt, word for word."),
        anchoredAt: s.instant,
      }),
      MOST_FOUND,
    )
    .describe("Those on the ledger first, then blobs; each oldest first, and the first 20."),
  more: z.boolean().describe("Whether there are others."),
});

/** The longest receipt that this service issues fits, also when a client writes all its characters as `\\uXXXX`. */
const ANCHOR_BODY_BYTES = 1024 * 1024;

const given = {
  receipt: r.foreignReceipt.optional(),
  answerId: answerId.optional().describe("In place of the receipt: the id of one that this service issued."),
};

const sealed = z
  .boolean()
  .optional()
  .describe(
    "Anchor the sealed form: nobody can read its private fields without an opening. Only for a receipt on record here. Always so when an encrypted memory was used, or the service is set to ANCHOR_SEALED.",
  );

const toAnchor = withExactlyOne(z.strictObject({ ...given, sealed }));
const toAnchorOnChain = withExactlyOne(
  z.strictObject({ ...given, sealed, claimNamespaces: z.array(r.recorded.namespace).max(1_000).optional() }),
);

/** zod's type has room for both and for neither. The check makes it the exact one. */
function withExactlyOne<T extends { receipt?: unknown; answerId?: unknown }>(
  schema: z.ZodType<T>,
): z.ZodType<ReceiptToAnchor & Omit<T, keyof typeof given>> {
  const checked: z.ZodType = schema
    .superRefine(({ receipt, answerId }, context) => {
      if (receipt === undefined && answerId === undefined)
        context.addIssue({ code: "custom", path: ["receipt"], message: "is required, unless answerId is given" });
      if (receipt !== undefined && answerId !== undefined)
        context.addIssue({ code: "custom", path: ["answerId"], message: "must be left out when receipt is given" });
    })
    .meta({ oneOf: [{ required: ["receipt"] }, { required: ["answerId"] }] });
  return checked as z.ZodType<ReceiptToAnchor & Omit<T, keyof typeof given>>;
}

const ANCHOR = [
  "limit-reached",
  "not-found",
  "receipt-incomplete",
  "cannot-be-sealed",
  "memory-forgotten",
  "policy-changed",
  "blob-store-failed",
] as const;
const LEDGER = ["ledger-refused", "ledger-no-gas", "ledger-unavailable", "ledger-timeout"] as const;

const VERIFY = {
  params: z.object({ receiptId: objectId }),
  query: z.object({
    deep: z.enum(["0", "1"]).optional().describe("1: derive every blob id from its bytes. Takes seconds."),
  }),
  response: verification,
  problems: ["verifier-busy"],
} as const;

export const receiptRows = {
  listReceipts: {
    summary: "The receipts on record, newest first, with their anchors. One request looks at 20,000 at most.",
    query: s.pageBy(/^[\w-]{1,64}$/).extend({
      agentId: r.recorded.agentId.optional(),
      answerIds: answerIds.optional(),
      namespace: r.recorded.namespace.optional().describe("Used by the answer, or blocked."),
      anchored,
      verified,
      status: receiptStatus.optional(),
      model: r.text(500, "The name of the model that was asked.").optional(),
      from: givenInstant.optional().describe("Of answers from this time on, `2026-01-02T03:04:05.678Z` for example."),
      to: givenInstant.optional().describe("Of answers before this time."),
    }),
    response: z.object({ receipts: s.listed(receiptEntry), nextCursor: s.nextCursorOfSearch }),
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
    response: z.object({ blobId: s.id, verified: z.boolean(), storedUntil: r.storedUntil }),
    problems: [...ANCHOR],
  },
  anchorOnChain: {
    summary: "Store a receipt as a blob and record its digest on the ledger, with the namespaces that it claims.",
    body: toAnchorOnChain,
    bodyLimit: ANCHOR_BODY_BYTES,
    response: r.anchoredOnChain,
    problems: [...ANCHOR, "version-not-on-ledger", "signing-key-ended", "receipt-not-on-record", ...LEDGER],
  },
  findAnchors: {
    summary: "The anchors that anyone may know of, by any id of theirs. What is not anchored is not found.",
    params: z.object({ id: anchorId }),
    response: foundAnchors,
    problems: ["not-found"],
  },
  verify: { summary: "Verify an anchored receipt from the ledger's object and the raw bytes of the blobs.", ...VERIFY },
  verifyWithOpening: {
    summary: "Verify an anchored receipt with an opening, which the service then knows. It is not kept.",
    ...VERIFY,
    body: toVerify,
    bodyLimit: ANCHOR_BODY_BYTES,
  },
} as const satisfies Rows;
