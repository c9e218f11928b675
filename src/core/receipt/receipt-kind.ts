import type { Evidence } from "./receipt.ts";

/**
 * Whether words were given, or the memories themselves to a caller with a model of their own. The receipt's open form says
 * so in its evidence, and the sealed form directly. Format 1 does not say: such receipts are of answers.
 */
export function receiptKind(receipt: object): Evidence["kind"] {
  const { kind, evidence } = receipt as {
    readonly kind?: unknown;
    readonly evidence?: { readonly kind?: unknown } | null;
  };
  return (evidence?.kind ?? kind) === "recalled" ? "recalled" : "answered";
}
