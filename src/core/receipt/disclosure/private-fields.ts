// The private fields of a receipt: each has a path, a salt and a commitment of its own. The open form shows some of them.
// Question, prompt and answer are in no form: whoever holds them can show that they belong to the receipt.
import type { AnswerReceipt } from "#core/receipt/receipt.ts";

export const AGENT = "/agentId";
export const BLOCKED = "/blockedNamespaces";
export const QUESTION = "/question";
export const PROMPT = "/prompt";
export const ANSWER = "/answer";
export const snippetPath = (index: number): string => memoryPaths[index]?.snippet ?? `/usedMemories/${index}/snippet`;
/** All of a used memory but its snippet. */
export const restPath = (index: number): string => memoryPaths[index]?.rest ?? `/usedMemories/${index}/rest`;

/** Of the first memories. A string that is made once is hashed once, when it becomes the key of an object. */
const memoryPaths = Array.from({ length: 64 }, (_, index) => ({
  snippet: `/usedMemories/${index}/snippet`,
  rest: `/usedMemories/${index}/rest`,
}));

/** What of a receipt its private fields are made of. A memory without a snippet is one whose snippet was withheld. */
export interface Shown extends Pick<AnswerReceipt, "agentId" | "blockedNamespaces" | "blockedCount" | "blockedDigest"> {
  readonly usedMemories: readonly object[];
}

/** The fields that a receipt shows, and their values. */
export function shownFields(receipt: Shown): [path: string, value: unknown][] {
  const { agentId, blockedNamespaces, blockedCount, blockedDigest, usedMemories } = receipt;
  // Keys are in the order of canonical JSON, which is then the fastest to write.
  const blocked =
    blockedCount === undefined ? { blockedNamespaces } : { blockedCount, blockedDigest, blockedNamespaces };
  const memories = usedMemories.flatMap((memory, i): [string, unknown][] => {
    const { snippet, ...rest } = memory as { readonly snippet?: unknown };
    const own: [string, unknown] = [restPath(i), rest];
    return snippet === undefined ? [own] : [own, [snippetPath(i), snippet]];
  });
  return [[AGENT, agentId], [BLOCKED, blocked], ...memories];
}
