// What comes of a question: the answer, its receipt, and what the model said.
import type { Recall } from "#core/gate/gate.ts";
import type { CompletionChunk } from "#core/prompt/completion-message.ts";
import type { GivenMemory } from "#core/prompt/fit-memories.ts";
import type { ForwardedPrompt, ForwardedTemplate } from "#core/prompt/gateway-request.ts";
import type { Prompt } from "#core/prompt/prompt.ts";
import { type PromptTemplate, type PromptText, promptText } from "#core/prompt/template.ts";
import type { AnswerReceipt, BreakReason, Evidence, Opening, UsedMemory } from "#core/receipt/receipt.ts";
import type { Commitments } from "#core/receipt/sealed-form.ts";
import type { Completion } from "#ports.ts";

export interface Answered {
  readonly answer: string;
  readonly receipt: AnswerReceipt;
  /** For whoever asked. */
  readonly opening: Opening;
}

export interface AnsweredWithoutMemories extends Answered {
  readonly receipt: AnswerReceipt & { readonly usedMemories: readonly [] };
}

export type RatedMemory = Recall["memories"][number] & { readonly relevance: number };

/** The memories themselves, for a caller who brings their own model. */
export interface RecalledMemories extends Pick<AnswerReceipt, "blockedNamespaces" | "blockedCount" | "blockedDigest"> {
  readonly memories: readonly RatedMemory[];
  /** How many memories were left out because they do not fit; absent when none was. */
  readonly omittedCount?: number;
  /** On record in any case; absent when the caller does not want it. */
  readonly receipt?: AnswerReceipt;
  readonly opening?: Opening;
  /** It has no words, so it is no answer without memories, which needs no fence. */
  readonly answer?: never;
}

/** What a model said to a forwarded request, in OpenAI's shape. */
export interface ForwardedAnswer {
  /** The whole completion, or the chunks of a stream that were kept back. The last one names the receipt. */
  readonly chunks: readonly CompletionChunk[];
  /** As in RecalledMemories. */
  readonly answer?: never;
}

/** An answer whose complete receipt is on record. */
export interface Issued<A = Answered> {
  readonly answered: A;
  readonly onRecord: OnRecord;
}

/** A prompt on its way to a model. */
export interface AskedPrompt {
  readonly template: PromptTemplate | ForwardedTemplate;
  readonly prompt: Prompt | ForwardedPrompt;
  readonly memories: readonly GivenMemory[];
  /** The name from the configuration. */
  readonly model: string;
  /** Of a prompt that says when it was made. */
  readonly askedAt?: Date;
}

export interface ModelAnswer extends Completion, Omit<AskedPrompt, "model"> {
  readonly begun: BegunOnRecord;
}

/** One that is only begun, with what its completion needs. */
export interface BegunOnRecord extends OnRecord {
  readonly seed: Uint8Array;
  readonly commitments: Commitments;
  readonly ledgerVersion: Evidence["ledgerVersion"];
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

// What the gate decided for a prompt, as whoever listens to the answer is told before the model is asked. It holds texts of
// memories, so it leaves behind the fence, and the receipt of its prompt is on record by then.

export interface GateReport extends Pick<AnswerReceipt, "blockedNamespaces" | "blockedCount" | "blockedDigest"> {
  readonly answerId: string;
  readonly createdAt: string;
  readonly policyVersion: number;
  /** Null if no model is asked. */
  readonly template: PromptTemplate | null;
  /** Those of the prompt, in its order, each with as much of its text as the prompt has. */
  readonly memories: readonly PromptMemory[];
  /** How many memories each of the listed closed namespaces has. For admins alone. */
  readonly blockedSizes?: readonly NamespaceSize[];
}

export interface GateReportWithoutMemories extends GateReport {
  readonly memories: readonly [];
}

interface PromptMemory extends PromptText, Pick<UsedMemory, "memoryId" | "contentDigest"> {}

interface NamespaceSize {
  readonly namespace: string;
  readonly memories: number;
}

/** Gives the sizes of these namespaces to whoever may know them. */
export type SizesOf = (namespaces: readonly string[]) => readonly NamespaceSize[];

type Decided = Omit<GateReport, "blockedSizes">;

/** Without `sizesOf` the report does not depend on anything in a closed namespace. */
export function gateReport<D extends Decided>(decided: D, sizesOf: SizesOf | undefined): D & GateReport {
  if (sizesOf === undefined) return decided;
  return { ...decided, blockedSizes: sizesOf(decided.blockedNamespaces) };
}

export function promptMemory({ memory, given }: GivenMemory): PromptMemory {
  const { memoryId, contentDigest } = memory;
  return { memoryId, contentDigest, ...promptText(memory, given) };
}
