// Issued receipts with their anchors, and the change log of the policy.
import { z } from "zod";
import { issuedReceipt } from "./resources.ts";

export const answerId = z
  .string()
  .regex(/^[\w-]{1,64}$/, "is not the id of an answer")
  .meta({ description: "The answer's id." });

const yesOrNo = (yes: string) =>
  z
    .enum(["yes", "no"])
    .optional()
    .meta({ description: `${yes}; no: the others.` });

export const anchored = yesOrNo("yes: receipts that were stored as a blob; those on the ledger are among them");
export const verified = yesOrNo("yes: receipts whose memories were all verified and intact when they were issued");

export const policyChange = z
  .object({
    version: z
      .int()
      .meta({ description: "The policy's version after the change. All changes of a reset have the same one." }),
    agentId: z.string(),
    namespace: z.string(),
    from: z.boolean().nullable().meta({ description: "Null: there was no leaf." }),
    to: z.boolean().nullable().meta({ description: "Null: the leaf was removed." }),
    by: z.string().meta({ description: "The name of the caller." }),
    at: z.iso.datetime(),
  })
  .meta({ id: "PolicyChange" });

export const receiptEntry = z
  .object({
    receipt: issuedReceipt,
    anchor: z
      .object({ blobId: z.string(), anchoredAt: z.iso.datetime() })
      .nullable()
      .meta({ description: "The blob that it is stored as; the last one when there are several." }),
    chain: z
      .array(
        z.object({
          receiptId: z.string(),
          txDigest: z.string(),
          allAuthorized: z.boolean(),
          claimed: z.array(z.string()),
          anchoredAt: z.iso.datetime(),
        }),
      )
      .meta({ description: "Its receipts on the ledger, oldest first." }),
    pending: z.int().meta({ description: "How many requests for the ledger have no outcome yet." }),
  })
  .meta({ id: "ReceiptEntry" });
