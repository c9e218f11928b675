// What a receipt says about the memories of its answer, in words. The receipt may come from elsewhere, or from an older
// version: then a field may be absent, or hold anything.
import { isObject } from "#core/encoding/json-shape.ts";
import type { Evidence } from "./receipt.ts";

interface ReceiptLike {
  readonly usedMemories: readonly { readonly cited?: unknown }[];
  readonly evidence?: unknown;
}

export const isCited = ({ cited }: { readonly cited?: unknown }): boolean => cited === true;

/** How many of the memories the answer cites; undefined when the model did not say. */
export function citedCount({ usedMemories }: ReceiptLike): number | undefined {
  if (!usedMemories.some(({ cited }) => typeof cited === "boolean")) return undefined;
  return usedMemories.filter(isCited).length;
}

/** "given to the model: 5, cited: 2". In a receipt of a recall: "recalled: 5". Nobody knows whether they were used. */
export function memoriesSummary(receipt: ReceiptLike): string {
  const count = (value: number) => value.toLocaleString("en");
  const cited = citedCount(receipt);
  const without = receiptKind(receipt) === "recalled" ? "recalled" : "used";
  const given = `${wasModelAsked(receipt) ? "given to the model" : without}: ${count(receipt.usedMemories.length)}`;
  return cited === undefined ? given : `${given}, cited: ${count(cited)}`;
}

const wasModelAsked = ({ evidence }: ReceiptLike): boolean => isObject(evidence) && typeof evidence.model === "string";

/** Whether words were given, or the memories themselves. A receipt that does not say is of an answer in words. */
export function receiptKind(receipt: object): Evidence["kind"] {
  const { kind, evidence } = receipt as {
    readonly kind?: unknown;
    readonly evidence?: { readonly kind?: unknown } | null;
  };
  return (evidence?.kind ?? kind) === "recalled" ? "recalled" : "answered";
}
