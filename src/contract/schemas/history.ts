// What was done: receipts with what became of them, and changes of the policy.
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

export const anchored = yesOrNo("yes: those that were stored as a blob, which those on the ledger were too");
export const verified = yesOrNo("yes: those whose used memories were all verified and intact when it was issued");

export const policyChange = z
  .object({
    version: z.int().meta({ description: "Of the policy after the change. The changes of a reset share one." }),
    agentId: z.string(),
    namespace: z.string(),
    from: z.boolean().nullable().meta({ description: "Null: there was no leaf." }),
    to: z.boolean().nullable().meta({ description: "Null: there is no leaf any more." }),
    by: z.string().meta({ description: "Which door it came through." }),
    at: z.iso.datetime(),
  })
  .meta({ id: "PolicyChange" });

export const receiptEntry = z
  .object({
    receipt: issuedReceipt,
    anchor: z
      .object({ blobId: z.string(), anchoredAt: z.iso.datetime() })
      .nullable()
      .meta({ description: "Where it is stored as a blob; the last time, when in several stores." }),
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
