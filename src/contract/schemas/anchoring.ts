// What the anchor routes take: a receipt, or the id of one that this service issued.
import { z } from "zod";
import type { ReceiptToAnchor } from "#core/receipt/receipt.ts";
import { answerId } from "./history.ts";
import { foreignReceipt, recorded } from "./resources.ts";

/** The longest receipt that this service issues fits, also when a client writes all its characters as `\\uXXXX`. */
export const ANCHOR_BODY_BYTES = 1024 * 1024;

const given = {
  receipt: foreignReceipt.optional(),
  answerId: answerId.optional().describe("In place of the receipt: the id of one that this service issued."),
};

const sealed = z
  .boolean()
  .optional()
  .describe(
    "Anchor the sealed form: nobody can read its private fields without an opening. Only for a receipt of format 2 on record here. Always so when a sealed memory was used, or the service is set to ANCHOR_SEALED.",
  );

export const toAnchor = withExactlyOne(z.object({ ...given, sealed }));
export const toAnchorOnChain = withExactlyOne(
  z.object({ ...given, sealed, claimNamespaces: z.array(recorded.namespace).max(1_000).optional() }),
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
