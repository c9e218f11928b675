// The receipt of an answer: what was used, what was blocked, what was seen live in the blob store.

import { firstCharacters } from "#core/encoding/text-validation.ts";
import type { AllowedMemory } from "#core/gate/gate.ts";

export interface UsedMemory {
  readonly memoryId: string;
  readonly namespace: string;
  readonly snippet: string;
  readonly storeRef: string;
  readonly authorized: boolean;
  /** A live GET of the blob succeeded. */
  readonly verified: boolean;
  /** The bytes it gave are the ones that were stored. */
  readonly intact: boolean;
}

/** Digests are blake2b256, hex. Where no model was asked, there is no prompt and no model: null. */
interface Evidence {
  readonly policyVersion: number;
  /** Of the canonical JSON of the whole policy at that version. */
  readonly policyDigest: string;
  /** Of the canonical JSON of the prompt, `{system, user}`. */
  readonly promptDigest: string | null;
  /** Of the answer's UTF-8 bytes. */
  readonly answerDigest: string;
  readonly model: string | null;
}

export interface AnswerReceipt {
  readonly answerId: string;
  readonly agentId: string;
  readonly usedMemories: readonly UsedMemory[];
  readonly blockedNamespaces: readonly string[];
  readonly createdAt: string;
  readonly evidence: Evidence;
}

/** A receipt from outside: the specification's fields are there, ours may be, and unknown ones belong to its bytes. */
export type ForeignReceipt = Omit<AnswerReceipt, "usedMemories" | "evidence"> & {
  readonly usedMemories: readonly Omit<UsedMemory, "memoryId" | "intact">[];
};

/** What a look at a blob showed. */
export interface BlobCheck {
  readonly verified: boolean;
  readonly intact: boolean;
}

const SNIPPET_LENGTH = 160;

/** The beginning of a memory's text on one line; the whole of it when it is short. */
export function snippetOf(content: string): string {
  const line = content.trim().replace(/\s+/gu, " ");
  const start = firstCharacters(line, SNIPPET_LENGTH);
  return start === line ? line : `${start.trimEnd()}…`;
}

export function usedMemory(memory: AllowedMemory, { verified, intact }: BlobCheck): UsedMemory {
  const { memoryId, namespace, content, storeRef } = memory;
  return { memoryId, namespace, snippet: snippetOf(content), storeRef, authorized: true, verified, intact };
}
