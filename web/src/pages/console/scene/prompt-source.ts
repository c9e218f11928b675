// Whose prompts are shown: that of an answer, and the one that it is compared with.
import type { GateEvent } from "#contract/routes.ts";
import type { Turn } from "#web/answers/conversation.ts";

export interface PromptSource {
  readonly gate: GateEvent;
  readonly query: string;
}

export interface PromptsToShow {
  readonly now: PromptSource & Pick<Turn, "receipt" | "opening">;
  /** The prompt of the attempt that became void, or of the answer before. */
  readonly other: (PromptSource & { readonly what: string }) | undefined;
}

/** Of a turn whose gate has decided. */
export function promptsOf({ gate, query, receipt, opening, voided }: Turn, before: Turn | undefined): PromptsToShow {
  if (gate === undefined) throw new Error("the gate has not decided yet");
  const now = { gate, query, ...(receipt && { receipt }), ...(opening && { opening }) };
  const void_ = voided.at(-1)?.gate;
  if (void_ !== undefined) return { now, other: { gate: void_, query, what: "the void prompt" } };
  if (before?.gate === undefined) return { now, other: undefined };
  return { now, other: { gate: before.gate, query: before.query, what: "the prompt of the answer before" } };
}
