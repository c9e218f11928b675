// Receipts with their anchors, and the change log of the policy.
import { z } from "zod";
import { BREAK_REASONS } from "#core/receipt/receipt-status.ts";
import { component } from "./component.ts";
import { opening, storedUntil, viewedReceipt } from "./resources.ts";

export const answerId = z
  .string()
  .regex(/^[\w-]{1,64}$/, "is not the id of an answer")
  .describe("The answer's id.");

const yesOrNo = (yes: string) => z.enum(["yes", "no"]).optional().describe(`${yes}; no: the others.`);

export const anchored = yesOrNo("yes: receipts that were stored as a blob; those on the ledger are among them");
export const verified = yesOrNo("yes: receipts whose memories were all verified and intact when they were issued");

export const allBlocked = component("AllBlocked", {
  blockedNamespaces: z.array(z.string()).describe("In UTF-8 order."),
  blockedCount: z.int(),
  blockedDigest: z.string().describe("blake2b256 of the list's canonical JSON, hex."),
});

export const policyChange = component("PolicyChange", {
  version: z.int().describe("The policy's version after the change. All changes of a reset have the same one."),
  agentId: z.string().describe("Empty, as the namespace: no leaf changed, the version moved past that of the ledger."),
  namespace: z.string(),
  from: z.boolean().nullable().describe("Null: there was no leaf."),
  to: z.boolean().nullable().describe("Null: the leaf was removed."),
  by: z.string().describe("The name of the caller."),
  at: z.iso.datetime(),
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

export const receiptEntry = component("ReceiptEntry", {
  status: receiptStatus,
  reason: z.enum(BREAK_REASONS).exactOptional().describe("Why the answer was broken off."),
  receipt: viewedReceipt,
  opening: opening
    .optional()
    .describe("When one receipt is read by its agent or an admin, and nothing of it is left out."),
  names: z
    .array(z.object({ name: z.string(), salt: z.string().describe("32 bytes, hex.") }))
    .exactOptional()
    .describe(
      "Beside the opening, when the ledger has pseudonyms: the salts of the names that it knows of this receipt. Whoever has one recognizes that name in all receipts there.",
    ),
  anchor: z
    .object({ blobId: z.string(), anchoredAt: z.iso.datetime(), sealed: anchoredSealed, storedUntil })
    .nullable()
    .describe("The blob that it is stored as; the last one when there are several. Lists leave `storedUntil` out."),
  chain: z
    .array(
      z.object({
        receiptId: z.string(),
        txDigest: z.string(),
        allAuthorized: z.boolean(),
        claimed: z.array(z.string()),
        anchoredAt: z.iso.datetime(),
        sealed: anchoredSealed,
      }),
    )
    .describe("Its receipts on the ledger, oldest first; only the last 20."),
  pending: z.int().describe("How many requests for the ledger have no outcome yet."),
});
