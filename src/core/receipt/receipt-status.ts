// How far the answer of a receipt got. A receipt is opened before its prompt leaves. At the end it is issued, or its answer
// was broken off.

export type ReceiptStatus = "opened" | "issued" | "broken-off";

/** Why an answer was broken off. */
export const BREAK_REASONS = [
  /** The caller went away, or did not read. */
  "caller-gone",
  "model-failed",
  /** The model refused the prompt as too long. A shorter one followed if there could be one. */
  "prompt-too-long",
  /** The policy took away what the answer used. It was made again. */
  "policy-changed",
  /** The database failed, or its disk is full. */
  "records-failed",
  /** Its end was never recorded: the service stopped in the middle. */
  "abandoned",
  "failed",
] as const;

export type BreakReason = (typeof BREAK_REASONS)[number];
