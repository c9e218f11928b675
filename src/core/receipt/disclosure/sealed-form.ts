// The sealed form of a receipt: every private field is a commitment. It is what the service signs, so a field can be
// withheld, or removed later, and the signature holds.
import { hexToBytes } from "@noble/hashes/utils.js";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import type { AnswerReceipt, Evidence, ViewedMemory, ViewedReceipt } from "#core/receipt/receipt.ts";
import { commitmentTo } from "./commitment.ts";
import { type Shown, shownFields, snippetPath } from "./private-fields.ts";

/** By path. */
export type Commitments = Readonly<Record<string, string>>;

export interface SealedForm
  extends Pick<AnswerReceipt, "answerId" | "createdAt">,
    Pick<Evidence, "v" | "kind" | "model" | "template" | "policyVersion" | "policyDigest" | "ledgerVersion"> {
  /** To every private field. */
  readonly commitments: Commitments;
}

export type Sealable = Pick<AnswerReceipt, "answerId" | "createdAt"> & Shown & { readonly evidence: Evidence };

/** The sealed form that an open form stands for. A field that it shows must have a salt, or the commitment is missing. */
export function sealedFormOf(receipt: Sealable): SealedForm {
  const { commitments, salts } = receipt.evidence;
  const shown = shownFields(receipt).flatMap(([path, value]): [string, string][] => {
    const salt = salts[path];
    return salt === undefined ? [] : [[path, commitmentTo(hexToBytes(salt), value)]];
  });
  return sealedForm(receipt, [...Object.entries(commitments), ...shown]);
}

/** Its keys are in the order of canonical JSON, which is then the fastest to write. */
export function sealedForm(
  { answerId, createdAt, evidence }: Pick<Sealable, "answerId" | "createdAt"> & { readonly evidence: Head },
  commitments: readonly (readonly [path: string, commitment: string])[],
): SealedForm {
  const { kind, ledgerVersion, model, policyDigest, policyVersion, template, v } = evidence;
  return {
    answerId,
    commitments: byPath(commitments),
    createdAt,
    kind,
    ...(ledgerVersion !== undefined && { ledgerVersion }),
    model,
    policyDigest,
    policyVersion,
    template,
    v,
  };
}

type Head = Omit<Evidence, "commitments" | "salts">;

/** An object whose keys are in order. */
export function byPath<T>(entries: readonly (readonly [path: string, value: T])[]): Readonly<Record<string, T>> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const utf8 = new TextEncoder();
const SIGNED_PREFIX = "portcullis/receipt/v2\0";

/** The bytes that are signed. */
export function signedBytes(sealed: SealedForm): Uint8Array {
  return utf8.encode(`${SIGNED_PREFIX}${canonicalJson(sealed)}`);
}

/** The same receipt without the snippets of some memories. Their commitments take the place of the salts. */
export function withoutSnippets<R extends ViewedReceipt>(
  receipt: R,
  isWithheld: (memory: ViewedMemory) => boolean,
): ViewedReceipt {
  const usedMemories = receipt.usedMemories.map((memory) => {
    const { snippet, ...rest } = memory;
    return isWithheld(memory) ? rest : memory;
  });
  const { evidence } = receipt;
  if (!("salts" in evidence)) return { ...receipt, usedMemories };
  const salts = new Map(Object.entries(evidence.salts));
  const commitments = Object.entries(evidence.commitments);
  for (const [i, memory] of receipt.usedMemories.entries()) {
    const salt = salts.get(snippetPath(i));
    if (salt === undefined || !isWithheld(memory)) continue;
    salts.delete(snippetPath(i));
    commitments.push([snippetPath(i), commitmentTo(hexToBytes(salt), memory.snippet)]);
  }
  return {
    ...receipt,
    usedMemories,
    evidence: { ...evidence, commitments: byPath(commitments), salts: byPath([...salts]) },
  };
}
