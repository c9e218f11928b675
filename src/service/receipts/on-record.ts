import type { Commitments } from "#core/receipt/disclosure/sealed-form.ts";
import type { AnswerReceipt, Evidence } from "#core/receipt/receipt.ts";
import type { BreakReason } from "#core/receipt/receipt-status.ts";

/** One that is only opened, with what its completion needs. */
export interface OpenedOnRecord extends OnRecord {
  readonly seed: Uint8Array;
  /** To question and prompt. */
  readonly commitments: Commitments;
  readonly ledgerVersion: Pick<Evidence, "ledgerVersion">;
}

declare const recorded: unique symbol;

/** A receipt that is on record. Nothing is sent or released without one. */
export interface OnRecord extends Pick<AnswerReceipt, "answerId" | "createdAt"> {
  /** Marks it: what it stands for did not reach its end. */
  breakOff(reason: BreakReason): void;
  readonly [recorded]: true;
}

/** The only way to one: `written` resolves when the receipt is on disk. */
export async function whenOnRecord(
  written: Promise<void>,
  { answerId, createdAt }: Pick<OnRecord, "answerId" | "createdAt">,
  breakOff: OnRecord["breakOff"],
): Promise<OnRecord> {
  await written;
  return { answerId, createdAt, breakOff } as OnRecord;
}
