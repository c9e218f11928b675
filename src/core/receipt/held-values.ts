// Makes openings to share, from what the holder of a seed has of an answer.
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { orUndefined } from "#core/defined.ts";
import { digestOfText } from "#core/encoding/digest.ts";
import { isObject } from "#core/encoding/json-shape.ts";
import type { RecallFilters } from "#core/memories/fact-filter.ts";
import { promptFrom } from "#core/prompt/prompt.ts";
import { isPromptTemplate, type PromptFact, promptText } from "#core/prompt/template.ts";
import { commitmentTo, saltOf } from "./commitment.ts";
import type { DisclosedName, OpeningDocument } from "./opening.ts";
import { type AnswerReceipt, givenTexts } from "./receipt.ts";
import { ANSWER, byPath, FILTERS, PROMPT, QUESTION, sealedFormOf, shownFields } from "./sealed-form.ts";

/** What somebody holds of an answer. What is left out stays sealed. */
export interface Held {
  readonly question?: string | undefined;
  readonly filters?: RecallFilters | undefined;
  /** In words. When memories were the answer, their blobs say it. */
  readonly answer?: string | undefined;
  /** The texts of the blobs of the used memories, in their order; undefined where one is not known. */
  readonly blobs?: readonly (string | undefined)[];
  /** The texts of their encrypted blobs, where they are sealed and a stranger cannot fetch these. */
  readonly encrypted?: readonly (string | undefined)[];
  readonly names?: readonly DisclosedName[];
}

export type PrivateField = readonly [path: string, value: unknown];

/** The private fields that the holder knows. A value that the receipt does not commit to is left out. */
export function heldFields(receipt: AnswerReceipt, seed: string, held: Held): PrivateField[] {
  const { commitments } = sealedFormOf(receipt);
  const hidden = [
    [QUESTION, held.question],
    [FILTERS, held.filters],
    [PROMPT, held.question && promptWith(receipt, held.question, (held.blobs ?? []).map(factIn))],
    [ANSWER, receipt.evidence.kind === "recalled" ? givenIn(receipt, held) : held.answer],
  ] as const;
  const known = [...shownFields(receipt), ...hidden.filter(([, value]) => value !== undefined)];
  const isCommitted = ([path, value]: PrivateField) =>
    orUndefined(() => commitmentTo(saltOf(hexToBytes(seed), path), value)) === commitments[path];
  return known.filter(isCommitted);
}

/** The memories as they were given to the caller, if all of them are known. */
function givenIn({ usedMemories }: AnswerReceipt, { blobs = [] }: Held): unknown {
  const given = usedMemories.flatMap(({ memoryId }, i) => {
    const fact = factIn(blobs[i]);
    return fact === undefined ? [] : { memoryId, content: fact.content };
  });
  return given.length === usedMemories.length ? givenTexts(given) : undefined;
}

type BlobFact = Pick<PromptFact, "content" | "occurredAt">;

/** What the text of a memory's blob says. Undefined for what is no memory. */
export function factIn(blob: string | undefined): BlobFact | undefined {
  const fact = blob === undefined ? undefined : orUndefined((): unknown => JSON.parse(blob));
  const [content, occurredAt] = [memberOf(fact, "content"), memberOf(fact, "occurredAt")];
  if (typeof content !== "string") return undefined;
  return { content, occurredAt: typeof occurredAt === "string" ? occurredAt : undefined };
}

/** Opens all that the holder knows. Of a part it has no seed, which would let others confirm guesses of the rest. */
export function openingOfAll(receipt: AnswerReceipt, seed: string, held: Held): OpeningDocument {
  const fields = heldFields(receipt, seed, held);
  const isWhole = fields.length === Object.keys(sealedFormOf(receipt).commitments).length;
  const used = new Set(receipt.usedMemories.map(({ contentDigest }) => contentDigest));
  const texts = [...(held.blobs ?? []), ...(held.encrypted ?? [])];
  const blobs = new Set(texts.filter((blob) => blob !== undefined && used.has(digestOfText(blob))) as string[]);
  return {
    v: 2,
    ...(isWhole ? { seed } : { salts: saltsOf(seed, fields) }),
    values: byPath(fields),
    blobs: [...blobs],
    ...(held.names !== undefined && { names: held.names }),
  };
}

/** Opens these fields, and lets nobody confirm a guess of another. */
export function openingOfSome(seed: string, fields: readonly PrivateField[]): OpeningDocument {
  return { v: 2, salts: saltsOf(seed, fields), values: byPath(fields) };
}

const saltsOf = (seed: string, fields: readonly PrivateField[]): Readonly<Record<string, string>> =>
  byPath(fields.map(([path]) => [path, bytesToHex(saltOf(hexToBytes(seed), path))]));

// What somebody holds of an answer (the question, the answer, the memories' blobs), against a receipt's commitments. With
// the opening they can see that it belongs to the receipt, and show it to others.

/** `absent`: the receipt has no commitment to such a field, or the opening has no salt of it. */
export type Holding = "belongs" | "differs" | "absent";

/** A receipt from anywhere. Nothing in it has been checked. */
interface AnyReceipt {
  readonly evidence?: unknown;
  readonly createdAt: string;
  readonly usedMemories: readonly object[];
}

/** What the holder can open: the salt of a field, by its path. */
export type Salts = (path: string) => Uint8Array | undefined;

export function valueHeld({ evidence }: Pick<AnyReceipt, "evidence">, salts: Salts, path: string, value: unknown) {
  const commitment = memberOf(memberOf(evidence, "commitments"), path);
  const salt = salts(path);
  if (commitment === undefined || salt === undefined) return "absent";
  return orUndefined(() => commitmentTo(salt, value)) === commitment ? "belongs" : "differs";
}

export function promptHeld(
  receipt: AnyReceipt,
  salts: Salts,
  question: string,
  facts: readonly (BlobFact | undefined)[],
): Holding | undefined {
  const prompt = promptWith(receipt, question, facts);
  return prompt && valueHeld(receipt, salts, PROMPT, prompt);
}

/** Undefined when no model was asked, or when a memory or the template is not known. */
function promptWith(receipt: AnyReceipt, question: string, facts: readonly (BlobFact | undefined)[]) {
  const template = memberOf(receipt.evidence, "template");
  if (typeof template !== "string" || !isPromptTemplate(template)) return undefined;
  const memories = receipt.usedMemories.flatMap((used, i) => {
    const [namespace, given, fact] = [memberOf(used, "namespace"), memberOf(used, "given"), facts[i]];
    if (typeof namespace !== "string" || typeof given !== "number" || fact === undefined) return [];
    return promptText({ namespace, ...fact, pinned: memberOf(used, "pinned") === true || undefined }, given);
  });
  if (memories.length !== receipt.usedMemories.length) return undefined;
  return promptFrom(template, memories, { question, createdAt: receipt.createdAt });
}

const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
