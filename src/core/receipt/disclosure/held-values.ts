// What somebody holds of an answer (the question, the answer, the memories' blobs), against a receipt's commitments. With
// the opening they can see that it belongs to the receipt, and show it to others.
import { orUndefined } from "#core/or-undefined.ts";
import { rebuildPrompt } from "#core/prompt/rebuild-prompt.ts";
import { isPromptTemplate } from "#core/prompt/template.ts";
import { commitmentTo } from "./commitment.ts";
import { ANSWER, PROMPT, QUESTION } from "./private-fields.ts";

/** `absent`: the receipt has no commitment to such a field, or the opening has no salt of it. */
export type Holding = "belongs" | "differs" | "absent";

/** A receipt from anywhere. Nothing in it has been checked. */
interface AnyReceipt {
  readonly evidence?: unknown;
  readonly usedMemories: readonly object[];
}

/** What the holder can open: the salt of a field, by its path. */
export type Salts = (path: string) => Uint8Array | undefined;

export function questionHeld(receipt: Pick<AnyReceipt, "evidence">, salts: Salts, question: string): Holding {
  return held(receipt, salts, QUESTION, question);
}

export function answerHeld(receipt: Pick<AnyReceipt, "evidence">, salts: Salts, answer: string): Holding {
  return held(receipt, salts, ANSWER, answer);
}

/**
 * Rebuilds the prompt from the receipt, the question and the contents of the used memories, in their order. Undefined
 * when no model was asked, or when a content or the template is not known.
 */
export function promptHeld(
  receipt: AnyReceipt,
  salts: Salts,
  question: string,
  contents: readonly (string | undefined)[],
): Holding | undefined {
  const template = memberOf(receipt.evidence, "template");
  if (typeof template !== "string" || !isPromptTemplate(template)) return undefined;
  const memories = receipt.usedMemories.flatMap((used, i) => {
    const [namespace, given, content] = [memberOf(used, "namespace"), memberOf(used, "given"), contents[i]];
    if (typeof namespace !== "string" || typeof given !== "number" || content === undefined) return [];
    return { namespace, content, given, pinned: memberOf(used, "pinned") === true ? (true as const) : undefined };
  });
  if (memories.length !== receipt.usedMemories.length) return undefined;
  return held(receipt, salts, PROMPT, rebuildPrompt(template, memories, question));
}

function held({ evidence }: Pick<AnyReceipt, "evidence">, salts: Salts, path: string, value: unknown): Holding {
  const commitment = memberOf(memberOf(evidence, "commitments"), path);
  const salt = salts(path);
  if (commitment === undefined || salt === undefined) return "absent";
  return orUndefined(() => commitmentTo(salt, value)) === commitment ? "belongs" : "differs";
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
