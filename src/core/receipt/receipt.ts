// The receipt of an answer: which memories were used, which namespaces were blocked, and what the blob store returned.
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import { digestOf } from "#core/encoding/digest.ts";
import type { AllowedMemory } from "#core/gate/gate.ts";
import type { GivenMemory } from "#core/prompt/fit-memories.ts";
import { type AnswerReceipt, type Evidence, MOST_LISTED, type Signature, type UsedMemory } from "./receipt-rules.ts";

export type { AnswerReceipt, Evidence, Signature, UsedMemory };

/** Opens every private field of one receipt. It goes to whoever asked, and is never part of the receipt. */
export interface Opening {
  readonly v: 2;
  /** 32 random bytes, hex. */
  readonly seed: string;
}

/** A receipt on record before its prompt leaves. It lacks what only the end of the answer can say. */
export interface BegunReceipt extends Omit<AnswerReceipt, "usedMemories" | "evidence" | "signature"> {
  readonly usedMemories: readonly Omit<UsedMemory, AtTheEnd | "cited">[];
  readonly evidence: Omit<Evidence, "salts">;
}

export type RecordedReceipt = AnswerReceipt | BegunReceipt;

export function isComplete(receipt: RecordedReceipt): receipt is AnswerReceipt;
export function isComplete(receipt: object): boolean;
export function isComplete(receipt: object): boolean {
  return "signature" in receipt;
}

/** A receipt as somebody reads it later: complete or not, and without the text of memories that the reader may not use. */
export interface ViewedReceipt
  extends Omit<AnswerReceipt, "usedMemories" | "evidence" | "signature">,
    Partial<Pick<AnswerReceipt, "signature">> {
  readonly usedMemories: readonly ViewedMemory[];
  readonly evidence: Evidence | BegunReceipt["evidence"];
}

type AtTheEnd = "verified" | "intact";
type MayLack = "snippet" | AtTheEnd;
export type ViewedMemory = Omit<UsedMemory, MayLack> & Partial<Pick<UsedMemory, MayLack>>;

/** The most bytes that a receipt's canonical JSON may have to be anchored. Ours have less, whatever the configuration. */
export const LARGEST_RECEIPT = 512 * 1024;

/** A receipt from outside. It has the specification's fields, perhaps ours, and perhaps unknown ones: all are part of its bytes. */
export type ForeignReceipt = Omit<AnswerReceipt, "usedMemories" | "evidence" | "signature"> & {
  readonly usedMemories: readonly (Pick<
    UsedMemory,
    "namespace" | "snippet" | "storeRef" | "authorized" | "verified"
  > & {
    readonly cited?: unknown;
  })[];
};

/** A receipt, or an id of ours. A receipt has an `answerId`, too: `agentId` keeps it from being the second. */
export type ReceiptToAnchor =
  | { readonly receipt: ForeignReceipt; readonly answerId?: undefined }
  | { readonly answerId: string; readonly receipt?: undefined; readonly agentId?: never };

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

// Keys in the order of canonical JSON, which is then the fastest to write.

/** As far as it is known before the prompt leaves. */
export function memoryInPrompt({ memory, given }: GivenMemory): BegunReceipt["usedMemories"][number] {
  const { memoryId, namespace, content, contentDigest, storeRef } = memory;
  const isPinned = memory.pinned === true && { pinned: true as const };
  const snippet = snippetOf(content);
  return { authorized: true, contentDigest, given, memoryId, namespace, ...isPinned, snippet, storeRef };
}

export function usedMemory(
  { memory, given }: GivenMemory,
  { verified, intact }: BlobCheck,
  cited?: boolean,
): UsedMemory {
  const { memoryId, namespace, content, contentDigest, storeRef } = memory;
  return {
    authorized: true,
    ...(cited !== undefined && { cited }),
    contentDigest,
    given,
    intact,
    memoryId,
    namespace,
    ...(memory.pinned === true && { pinned: true as const }),
    snippet: snippetOf(content),
    storeRef,
    verified,
  };
}

/** What stands for the answer when memories were the answer. */
export const givenTexts = (memories: readonly Pick<AllowedMemory, "memoryId" | "content">[]) =>
  memories.map(({ memoryId, content }) => ({ content, memoryId }));

// The blocked namespaces of an answer. A receipt lists the first ones, and stands for the rest by count and digest.

type BlockedFields = Pick<AnswerReceipt, "blockedNamespaces" | "blockedCount" | "blockedDigest">;

/** An agent's list stays the same object until it changes, and its digest is derived once. */
const cut = new WeakMap<readonly string[], BlockedFields>();

/** The fields of a receipt for these namespaces, which are all that are blocked, in UTF-8 order. */
export function blockedFields(blocked: readonly string[]): BlockedFields {
  if (blocked.length <= MOST_LISTED) return { blockedNamespaces: blocked };
  return getOrInsert(cut, blocked, () => ({
    blockedCount: blocked.length,
    blockedDigest: digestOf(blocked),
    blockedNamespaces: blocked.slice(0, MOST_LISTED),
  }));
}

// How far the answer of a receipt got: begun before its prompt leaves, at the end issued or broken off.

export type ReceiptStatus = "begun" | "issued" | "broken-off";

export const BREAK_REASONS = [
  /** The caller went away, or did not read. */
  "caller-gone",
  "model-failed",
  /** The model refused the prompt as too long. A shorter one followed, if possible. */
  "prompt-too-long",
  /** The policy took away what the answer used. It was made again. */
  "policy-changed",
  /** The database failed, or its disk is full. */
  "records-failed",
  /** Its end was never recorded: the service stopped in the middle. */
  "abandoned",
  "failed",
] as const;

export type BreakReason = (typeof BREAK_REASONS)[number];
