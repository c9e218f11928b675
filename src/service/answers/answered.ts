// What comes of a question: the answer, its receipt, and what the model said.
import type { Recall } from "#core/gate/gate.ts";
import type { GivenMemory } from "#core/prompt/fit-memories.ts";
import type { Prompt } from "#core/prompt/prompt.ts";
import type { PromptTemplate } from "#core/prompt/template.ts";
import type { AnswerReceipt, Opening } from "#core/receipt/receipt.ts";
import type { Completion } from "#ports.ts";
import type { OnRecord, OpenedOnRecord } from "#service/receipts/on-record.ts";

export interface Answered {
  readonly answer: string;
  readonly receipt: AnswerReceipt;
  /** For whoever asked. */
  readonly opening: Opening;
}

export interface AnsweredWithoutMemories extends Answered {
  readonly receipt: AnswerReceipt & { readonly usedMemories: readonly [] };
}

/** The memories themselves, for a caller who brings their own model. */
export interface RecalledMemories
  extends Recall,
    Pick<AnswerReceipt, "blockedNamespaces" | "blockedCount" | "blockedDigest"> {
  /** How many memories were left out because they do not fit; absent when none was. */
  readonly omittedCount?: number;
  /** On record in any case; absent when the caller does not want it. */
  readonly receipt?: AnswerReceipt;
  readonly opening?: Opening;
  /** It has no words, so it is no answer without memories, which needs no fence. */
  readonly answer?: never;
}

/** An answer whose complete receipt is on record. */
export interface Issued<A = Answered> {
  readonly answered: A;
  readonly onRecord: OnRecord;
}

/** A prompt on its way to a model. */
export interface AskedPrompt {
  readonly template: PromptTemplate;
  readonly prompt: Prompt;
  /** Those that the prompt held, in its order. */
  readonly memories: readonly GivenMemory[];
  /** The name from the configuration. */
  readonly model: string;
}

/** What the model was asked, and what it answered. */
export interface ModelAnswer extends Completion, Omit<AskedPrompt, "model"> {
  /** The receipt of this prompt. */
  readonly opened: OpenedOnRecord;
}
