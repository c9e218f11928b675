// Receipts with their anchors, and the change log of the policy.
import { z } from "zod";
import { BREAK_REASONS } from "#core/receipt/receipt-status.ts";
import { component } from "./component.ts";
import { opening, query, storedUntil, viewedReceipt } from "./resources.ts";
import { count, digest, id, instant, listed, name, version } from "./scalars.ts";

export const answerId = z
  .string()
  .regex(/^[\w-]{1,64}$/, "is not the id of an answer")
  .meta({ maxLength: 64, description: "The answer's id." });

const yesOrNo = (yes: string) => z.enum(["yes", "no"]).optional().describe(`${yes}; no: the others.`);

export const anchored = yesOrNo("yes: receipts that were stored as a blob; those on the ledger are among them");
export const verified = yesOrNo("yes: receipts whose memories were all verified and intact when they were issued");

/** The most that LIMIT_NAMESPACES can be. */
const MOST_NAMESPACES = 1_000_000;

export const allBlocked = component("AllBlocked", {
  blockedNamespaces: z.array(name).meta({ maxItems: MOST_NAMESPACES }).describe("In UTF-8 order."),
  blockedCount: count,
  blockedDigest: digest.describe("blake2b256 of the list's canonical JSON, hex."),
});

export const policyChange = component("PolicyChange", {
  version: version.describe("The policy's version after the change. All changes of a reset have the same one."),
  agentId: name.describe("Empty, as the namespace: no leaf changed, the version moved past that of the ledger."),
  namespace: name,
  from: z.boolean().nullable().describe("Null: there was no leaf."),
  to: z.boolean().nullable().describe("Null: the leaf was removed."),
  by: name.describe("The name of the caller."),
  at: instant,
});

export const receiptStatus = z
  .enum(["opened", "issued", "broken-off"])
  .describe(
    "opened: on record before its prompt leaves, and the answer has no end yet. broken-off: the answer did not reach the caller whole.",
  );

const anchoredSealed = z
  .literal(true)
  .exactOptional()
  .describe("Its private fields were anchored as commitments alone. Left out otherwise.");

/** The agent, and the claims of twenty anchors. */
const MOST_NAMES = 20_001;

export const receiptEntry = component("ReceiptEntry", {
  status: receiptStatus,
  reason: z.enum(BREAK_REASONS).exactOptional().describe("Why the answer was broken off."),
  receipt: viewedReceipt,
  opening: opening
    .optional()
    .describe("When one receipt is read by its agent or an admin, and nothing of it is left out."),
  question: query
    .exactOptional()
    .describe(
      "For the agent and admins, where the service is set to KEEP_QUESTIONS. Never when a sealed memory was used; gone when a used memory is forgotten.",
    ),
  names: z
    .array(z.object({ name, salt: digest.describe("32 bytes, hex.") }))
    .meta({ maxItems: MOST_NAMES })
    .exactOptional()
    .describe(
      "Beside the opening, when the ledger has pseudonyms: the salts of the names that it knows of this receipt. Whoever has one recognizes that name in all receipts there.",
    ),
  anchor: z
    .object({ blobId: id, anchoredAt: instant, sealed: anchoredSealed, storedUntil })
    .nullable()
    .describe("The blob that it is stored as; the last one when there are several. Lists leave `storedUntil` out."),
  chain: z
    .array(
      z.object({
        receiptId: id,
        txDigest: id,
        allAuthorized: z.boolean(),
        claimed: listed(name),
        anchoredAt: instant,
        sealed: anchoredSealed,
      }),
    )
    .meta({ maxItems: 20 })
    .describe("Its receipts on the ledger, oldest first; only the last 20."),
  pending: count.describe("How many requests for the ledger have no outcome yet."),
});

export const anchorId = z
  .string()
  .regex(/^[\w.~=-]{1,128}$/, "is not the id of an anchored receipt")
  .meta({
    maxLength: 128,
    description:
      "Any id of it: of its object on the ledger (0x…), its transaction (base58), its blob, the digest of its bytes (hex), or its answer.",
  });

/** Of those on the ledger, and of blobs. */
const MOST_FOUND = 40;

export const foundAnchors = component("FoundAnchors", {
  anchors: z
    .array(
      z.object({
        kind: z.enum(["ledger", "blob"]).describe("ledger: an object on the ledger. blob: the receipt's blob itself."),
        receiptId: id.exactOptional().describe("The object on the ledger."),
        txDigest: id.exactOptional(),
        allAuthorized: z.boolean().exactOptional().describe("Whether the ledger authorized every claim."),
        blobId: id,
        digest: digest.describe("blake2b256 of the blob's bytes, hex."),
        sealed: z.boolean().describe("Whether its private fields were anchored as commitments alone."),
        issued: z.boolean().describe("Whether this service issued the receipt, word for word."),
        anchoredAt: instant,
      }),
    )
    .meta({ maxItems: MOST_FOUND })
    .describe("Those on the ledger first, then blobs; each oldest first, and the first 20."),
  more: z.boolean().describe("Whether there are others."),
});
