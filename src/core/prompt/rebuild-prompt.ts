import { escapedJson } from "./escaped-json.ts";
import type { Prompt } from "./prompt.ts";
import {
  type PromptFact,
  type PromptTemplate,
  type PromptText,
  promptText,
  systemText,
  textLine,
  userText,
} from "./template.ts";

/** `namespace`, `given` and `pinned` stand in the receipt, and `content` in the memory's blob. */
export interface GivenFact extends PromptFact {
  readonly given: number;
}

/** The prompt that left, byte for byte, from what a receipt, its memories' blobs and the question say. */
export function rebuildPrompt(template: PromptTemplate, memories: readonly GivenFact[], question: string): Prompt {
  return promptFrom(
    template,
    memories.map((memory) => promptText(memory, memory.given)),
    question,
  );
}

/** The same from the texts as the prompt has them. */
export function promptFrom(template: PromptTemplate, texts: readonly PromptText[], question: string): Prompt {
  const lines = texts.map((text, i) => textLine(i + 1, text));
  return { system: systemText(template), user: userText(lines, escapedJson(question)) };
}
