// What somebody holds of an answer (the question, the answer, the memories' blobs), against a receipt's commitments. With
// the opening they can see that it belongs to the receipt, and show it to others.
import { hexToBytes } from "@noble/hashes/utils.js";
import { orUndefined } from "#core/or-undefined.ts";
import { rebuildPrompt } from "#core/prompt/rebuild-prompt.ts";
import { isPromptTemplate } from "#core/prompt/template.ts";
import { commitmentTo, saltOf } from "./commitment.ts";
import { ANSWER, PROMPT, QUESTION } from "./private-fields.ts";

/** `absent`: the receipt has no commitment to such a field. */
export type Holding = "belongs" | "differs" | "absent";

/** A receipt from anywhere. Nothing in it has been checked. */
interface AnyReceipt {
  readonly evidence?: unknown;
  readonly usedMemories: readonly object[];
}

const SEED = /^[0-9a-f]{64}$/;

/** The seed of an opening, as hex or as the JSON that came with the answer. */
export function readOpening(text: string): Uint8Array | undefined {
  const trimmed = text.trim();
  const parsed: unknown = trimmed.startsWith("{") ? orUndefined(() => JSON.parse(trimmed)) : { seed: trimmed };
  const { seed } = (parsed ?? {}) as { readonly seed?: unknown };
  return typeof seed === "string" && SEED.test(seed) ? hexToBytes(seed) : undefined;
}

export function questionHeld(receipt: AnyReceipt, seed: Uint8Array, question: string): Holding {
  return held(receipt, seed, QUESTION, question);
}

export function answerHeld(receipt: AnyReceipt, seed: Uint8Array, answer: string): Holding {
  return held(receipt, seed, ANSWER, answer);
}

/**
 * Rebuilds the prompt from the receipt, the question and the contents of the used memories, in their order. Undefined
 * when no model was asked, or when a content or the template is not known.
 */
export function promptHeld(
  receipt: AnyReceipt,
  seed: Uint8Array,
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
  return held(receipt, seed, PROMPT, rebuildPrompt(template, memories, question));
}

function held(receipt: AnyReceipt, seed: Uint8Array, path: string, value: unknown): Holding {
  const commitment = memberOf(memberOf(receipt.evidence, "commitments"), path);
  if (commitment === undefined) return "absent";
  return orUndefined(() => commitmentTo(saltOf(seed, path), value)) === commitment ? "belongs" : "differs";
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
