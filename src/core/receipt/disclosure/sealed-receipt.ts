// A sealed receipt: the sealed form with its signature, as it is anchored. It says when and how an answer was made, and
// nothing of its private fields but their commitments.
import { everyMember, exactFields, faultText } from "#core/encoding/json-shape.ts";
import type { AnswerReceipt, Signature } from "#core/receipt/receipt.ts";
import { digest, HEAD, headFault, MOST_MEMORIES, text, time } from "./field-rules.ts";
import { AGENT, ANSWER, BLOCKED, PROMPT, QUESTION, restPath, snippetPath } from "./private-fields.ts";
import { type SealedForm, sealedFormOf } from "./sealed-form.ts";
import { pathsFault, signature } from "./signed-receipt-shape.ts";

export interface SealedReceipt extends SealedForm {
  readonly signature: Signature;
}

/** Its canonical JSON is the blob of a sealed anchor. */
export function sealedReceiptOf(receipt: AnswerReceipt): SealedReceipt {
  return { ...sealedFormOf(receipt), signature: receipt.signature };
}

const shape = exactFields(
  { ...HEAD.required, answerId: text(128), commitments: everyMember(digest), createdAt: time, signature },
  HEAD.optional,
);

/** Whether the value means to be a sealed receipt, and not an open one: it has commitments, and no private field. */
export function looksSealed(value: unknown): value is object {
  return typeof value === "object" && value !== null && "commitments" in value && !("usedMemories" in value);
}

/** Why it is not a sealed receipt, for people; undefined if it is one. */
export function sealedReceiptFault(value: unknown): string | undefined {
  const fault = shape(value);
  if (fault !== undefined) return faultText(fault);
  const sealed = value as SealedReceipt;
  const paths = Object.keys(sealed.commitments);
  const memories = memoriesIn(paths);
  if (memories > MOST_MEMORIES) return `it has more than ${MOST_MEMORIES} memories`;
  return headFault(sealed, memories) ?? pathsFault("commitment", new Set(privatePaths(sealed, memories)), paths);
}

/** The paths of all private fields: those of the open form first, in its order. */
export function privatePathsOf(sealed: SealedForm): string[] {
  return privatePaths(sealed, memoryCountOf(sealed));
}

export const memoryCountOf = ({ commitments }: Pick<SealedForm, "commitments">): number =>
  memoriesIn(Object.keys(commitments));

const memoriesIn = (paths: readonly string[]): number => paths.filter((path) => path.endsWith("/rest")).length;

function privatePaths({ model }: Pick<SealedForm, "model">, memories: number): string[] {
  const ofMemories = Array.from({ length: memories }, (_, i) => [restPath(i), snippetPath(i)]).flat();
  return [AGENT, BLOCKED, ...ofMemories, QUESTION, ...(model === null ? [] : [PROMPT]), ANSWER];
}
