import { AGENT, ANSWER, BLOCKED, PROMPT, QUESTION } from "#core/receipt/disclosure/private-fields.ts";

const NAMES: ReadonlyMap<string, string> = new Map([
  [AGENT, "Agent"],
  [BLOCKED, "Blocked namespaces"],
  [QUESTION, "Question"],
  [PROMPT, "Prompt"],
  [ANSWER, "Answer"],
]);

/** A private field of a receipt, for people. */
export function fieldName(path: string): string {
  const [, index, part] = /^\/usedMemories\/(\d+)\/(\w+)$/.exec(path) ?? [];
  if (index === undefined) return NAMES.get(path) ?? path;
  return `Memory ${Number(index) + 1}, ${part === "snippet" ? "beginning" : "all else"}`;
}
