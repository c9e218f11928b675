// Makes the two forms of a receipt from its parts and its seed: the open one, and the sealed one that is signed.
import type { AnswerReceipt, Evidence } from "#core/receipt/receipt.ts";
import { commitToAll } from "./commitment.ts";
import { shownFields } from "./private-fields.ts";
import { byPath, type Commitments, type SealedForm, sealedForm } from "./sealed-form.ts";

/** Commitments to fields that no form shows: question, prompt, answer. A field that is undefined does not exist. */
export function commitToHidden(seed: Uint8Array, fields: Readonly<Record<string, unknown>>): Commitments {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return byPath(commitToAll(seed, entries).map(({ path, commitment }) => [path, commitment]));
}

export interface UnsignedReceipt extends Omit<AnswerReceipt, "evidence" | "signature"> {
  readonly evidence: Omit<Evidence, "salts">;
}

export interface Forms {
  readonly open: Omit<AnswerReceipt, "signature">;
  readonly sealed: SealedForm;
}

/** `receipt.evidence.commitments` are those to the hidden fields. */
export function seal(seed: Uint8Array, receipt: UnsignedReceipt): Forms {
  const shown = commitToAll(seed, shownFields(receipt));
  const salts = shown.map(({ path, salt }) => [path, salt] as const);
  const commitments = shown.map(({ path, commitment }) => [path, commitment] as const);
  const { evidence, usedMemories, ...head } = receipt;
  const { commitments: hidden, kind, ledgerVersion, model, policyDigest, policyVersion, template, v } = evidence;
  const open = {
    ...head,
    // Keys in the order of canonical JSON, which is then the fastest to write.
    evidence: {
      commitments: hidden,
      kind,
      ...(ledgerVersion !== undefined && { ledgerVersion }),
      model,
      policyDigest,
      policyVersion,
      salts: byPath(salts),
      template,
      v,
    },
    usedMemories,
  };
  return { open, sealed: sealedForm(receipt, [...Object.entries(hidden), ...commitments]) };
}
