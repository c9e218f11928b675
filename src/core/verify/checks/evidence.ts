// The receipt's evidence: which format it has, and whether it is complete and well formed.
import { count, exactFields, faultText, matching, orNull, string } from "#core/encoding/json-shape.ts";
import { isPromptTemplate } from "#core/prompt/template.ts";
import { type SealedForm, sealedFormOf } from "#core/receipt/disclosure/sealed-form.ts";
import type { SealedReceipt } from "#core/receipt/disclosure/sealed-receipt.ts";
import { signedReceiptFault } from "#core/receipt/disclosure/signed-receipt-shape.ts";
import type { AnswerReceipt, ForeignReceipt, Signature } from "#core/receipt/receipt.ts";
import { type Check, fail, pass, unknown, withoutReceipt } from "#core/verify/check.ts";

const digest = matching(/^[0-9a-f]{64}$/, "64 hex digits");

const formerEvidence = exactFields({
  answerDigest: digest,
  model: orNull(string(() => undefined)),
  policyDigest: digest,
  policyVersion: count,
  promptDigest: orNull(digest),
});

/** What the service signed: the sealed form, whether it was anchored sealed or open. */
export interface SignedForm {
  readonly form: SealedForm;
  readonly signature: Signature;
}

interface ReadEvidence {
  readonly check: Check;
  /** Present if the receipt has format 2, complete and well formed. */
  readonly signed?: SignedForm;
}

export function checkEvidence(receipt: ForeignReceipt | undefined): ReadEvidence {
  if (receipt === undefined) return { check: withoutReceipt("evidence") };
  const members = new Map<string, unknown>(Object.entries(receipt));
  const evidence = members.get("evidence");
  if (evidence === undefined) {
    if (members.has("signature")) return malformed("it has a signature without evidence");
    const sentence = "The receipt has no evidence: nothing in it says which policy, model and prompt it is about.";
    return { check: unknown("evidence", "evidence-absent", sentence) };
  }
  if (isFormer(evidence)) {
    const fault = formerEvidence(evidence);
    if (fault !== undefined) return malformed(`of its evidence, ${faultText(fault)}`);
    const sentence = "The receipt has format 1, of releases up to 0.1: it has plain digests, and nobody signed it.";
    return { check: unknown("evidence", "evidence-former", sentence) };
  }
  const fault = signedReceiptFault(receipt);
  if (fault !== undefined) return malformed(fault);
  const { signature } = receipt as AnswerReceipt;
  return checkTemplate({ form: sealedFormOf(receipt as AnswerReceipt), signature });
}

/** The shape of a sealed receipt was checked when it was read. */
export function checkSealedEvidence({ signature, ...form }: SealedReceipt): ReadEvidence {
  return checkTemplate({ form, signature });
}

function checkTemplate(signed: SignedForm): ReadEvidence {
  const { template } = signed.form;
  if (template !== null && !isPromptTemplate(template)) {
    const sentence = `The receipt has format 2, complete, but this verifier does not know the prompt template “${template}”, and what the prompt said besides the memories.`;
    return { check: unknown("evidence", "template-unknown", sentence), signed };
  }
  const sentence =
    "The receipt has format 2, complete: every private field has its salt or its commitment, and nothing else.";
  return { check: pass("evidence", sentence), signed };
}

const malformed = (fault: string): ReadEvidence => ({
  check: fail("evidence", "evidence-malformed", `The evidence is malformed: ${fault}.`),
});

const isFormer = (evidence: unknown): boolean =>
  typeof evidence === "object" && evidence !== null && !("v" in evidence) && "answerDigest" in evidence;
