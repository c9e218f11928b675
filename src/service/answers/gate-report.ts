// What the gate decided for a prompt, as whoever listens to the answer is told before the model is asked. It holds texts of
// memories, so it leaves behind the fence, and the receipt of its prompt is on record by then.
import type { GivenMemory } from "#core/prompt/fit-memories.ts";
import { type PromptTemplate, type PromptText, promptText } from "#core/prompt/template.ts";
import type { AnswerReceipt, UsedMemory } from "#core/receipt/receipt.ts";

export interface GateReport extends Pick<AnswerReceipt, "blockedNamespaces" | "blockedCount" | "blockedDigest"> {
  /** Of the receipt on record. */
  readonly answerId: string;
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

export interface PromptMemory extends PromptText, Pick<UsedMemory, "memoryId" | "contentDigest"> {}

export interface NamespaceSize {
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
