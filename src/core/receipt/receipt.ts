// The receipt of an answer: which memories were used, which namespaces were blocked, and what the blob store returned.
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import type { AllowedMemory } from "#core/gate/gate.ts";

export interface UsedMemory {
  readonly memoryId: string;
  readonly namespace: string;
  readonly snippet: string;
  readonly storeRef: string;
  readonly authorized: boolean;
  /** A live GET of the blob succeeded. */
  readonly verified: boolean;
  /** The fetched bytes are the ones that were stored. */
  readonly intact: boolean;
  /** The model says that the answer rests on it. Absent when the model does not say. */
  readonly cited?: boolean;
  /** A receipt may be published, and these would publish words of the question. */
  readonly why?: never;
  readonly score?: never;
}

/** Digests are blake2b256 in hex. `promptDigest` and `model` are null if no model was asked. */
interface Evidence {
  readonly policyVersion: number;
  /** Stands for the policy's whole history up to that version (core/gate/policy-link.ts). */
  readonly policyDigest: string;
  /** Of the canonical JSON of the prompt, `{system, user}`. */
  readonly promptDigest: string | null;
  /** Of the answer's UTF-8 bytes. When memories were the answer, see `givenText`. */
  readonly answerDigest: string;
  readonly model: string | null;
}

export interface AnswerReceipt {
  readonly answerId: string;
  readonly agentId: string;
  readonly usedMemories: readonly UsedMemory[];
  /** In UTF-8 order. When there are more than 1,000, the first of them. */
  readonly blockedNamespaces: readonly string[];
  /** Only when some are not listed: how many are blocked, and the digest of the canonical JSON of their whole list. */
  readonly blockedCount?: number | undefined;
  readonly blockedDigest?: string | undefined;
  readonly createdAt: string;
  readonly evidence: Evidence;
}

/** A receipt on record before its prompt leaves. It lacks what only the end of the answer can say. */
export interface OpenedReceipt extends Omit<AnswerReceipt, "usedMemories" | "evidence"> {
  readonly usedMemories: readonly Omit<UsedMemory, "verified" | "intact" | "cited">[];
  readonly evidence: Omit<Evidence, "answerDigest">;
}

export function isComplete(receipt: AnswerReceipt | OpenedReceipt): receipt is AnswerReceipt {
  return "answerDigest" in receipt.evidence;
}

/** A receipt as somebody reads it later: complete or not, and without the text of memories that the reader may not use. */
export interface ViewedReceipt extends Omit<AnswerReceipt, "usedMemories" | "evidence"> {
  readonly usedMemories: readonly ViewedMemory[];
  readonly evidence: Omit<Evidence, "answerDigest"> & Partial<Pick<Evidence, "answerDigest">>;
}

type AtTheEnd = "verified" | "intact";
export type ViewedMemory = Omit<UsedMemory, "snippet" | AtTheEnd> & Partial<Pick<UsedMemory, "snippet" | AtTheEnd>>;

/** The most bytes that a receipt's canonical JSON may have to be anchored. Ours have less, whatever the configuration. */
export const LARGEST_RECEIPT = 512 * 1024;

/** A receipt from outside. It has the specification's fields, perhaps ours, and perhaps unknown ones: all are part of its bytes. */
export type ForeignReceipt = Omit<AnswerReceipt, "usedMemories" | "evidence"> & {
  readonly usedMemories: readonly (Omit<UsedMemory, "memoryId" | "intact" | "why" | "score" | "cited"> & {
    readonly cited?: unknown;
  })[];
};

/**
 * A receipt to anchor, or the id of one that this service issued. A receipt has an `answerId`, too. `agentId` keeps one
 * from passing for the second, which would anchor another receipt than the caller has.
 */
export type ReceiptToAnchor =
  | { readonly receipt: ForeignReceipt; readonly answerId?: undefined }
  | { readonly answerId: string; readonly receipt?: undefined; readonly agentId?: never };

/** The result of fetching a memory's blob. */
export type BlobCheck = Pick<UsedMemory, "verified" | "intact">;

/** In code points. */
const SNIPPET_LENGTH = 160;

/** The beginning of a memory's text on one line, or all of it if it is short. */
export function snippetOf(content: string): string {
  const line = oneLine(content);
  if (line.length <= SNIPPET_LENGTH) return line;
  const start = Array.from(line.slice(0, 2 * SNIPPET_LENGTH))
    .slice(0, SNIPPET_LENGTH)
    .join("");
  return start === line ? line : `${start.trimEnd()}…`;
}

function oneLine(text: string): string {
  const trimmed = text.trim();
  // Most texts have single spaces only, and a test is cheaper than a replacement.
  return /\s\s|[^\S ]/u.test(trimmed) ? trimmed.replace(/\s+/gu, " ") : trimmed;
}

/** As far as it is known before the prompt leaves. */
export function memoryInPrompt({ memoryId, namespace, content, storeRef }: AllowedMemory) {
  return { authorized: true, memoryId, namespace, snippet: snippetOf(content), storeRef };
}

/** Its keys are in the order of canonical JSON, which is then the fastest to write. */
export function usedMemory(
  { memoryId, namespace, content, storeRef }: AllowedMemory,
  { verified, intact }: BlobCheck,
  cited?: boolean,
): UsedMemory {
  const snippet = snippetOf(content);
  if (cited === undefined) return { authorized: true, intact, memoryId, namespace, snippet, storeRef, verified };
  return { authorized: true, cited, intact, memoryId, namespace, snippet, storeRef, verified };
}

/** What stands for the answer's text when memories were the answer: the canonical JSON of these fields, in their order. */
export function givenText(memories: readonly { readonly memoryId: string; readonly content: string }[]): string {
  return canonicalJson(memories.map(({ memoryId, content }) => ({ memoryId, content })));
}
