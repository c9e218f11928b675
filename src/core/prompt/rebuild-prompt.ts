import { escapedJson } from "./escaped-json.ts";
import type { Prompt } from "./prompt.ts";
import { memoryLine, type PromptFact, type PromptTemplate, systemText, userText } from "./template.ts";

/** `namespace`, `given` and `pinned` stand in the receipt, and `content` in the memory's blob. */
export interface GivenFact extends PromptFact {
  readonly given: number;
}

/** The prompt that left, byte for byte, from what a receipt, its memories' blobs and the question say. */
export function rebuildPrompt(template: PromptTemplate, memories: readonly GivenFact[], question: string): Prompt {
  const lines = memories.map((memory, i) => memoryLine(i + 1, memory, memory.given));
  return { system: systemText(template), user: userText(lines, escapedJson(question)) };
}
