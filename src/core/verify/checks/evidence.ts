// The receipt's evidence: whether it is complete and well formed.
import type { ChainGate } from "#core/ledger/gate-object.ts";
import { isPromptTemplate } from "#core/prompt/template.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { AnswerReceipt, ForeignReceipt, Signature } from "#core/receipt/receipt.ts";
import { type SealedReceipt, signedReceiptFault } from "#core/receipt/receipt-shape.ts";
import { type SealedForm, sealedFormOf } from "#core/receipt/sealed-form.ts";
import { isSignatureOf } from "#core/receipt/signature.ts";
import { type Check, fail, pass, unknown, withoutReceipt } from "#core/verify/check.ts";

/** What the service signed: the sealed form, whether it was anchored sealed or open. */
export interface SignedForm {
  readonly form: SealedForm;
  readonly signature: Signature;
}

interface ReadEvidence {
  readonly check: Check;
  /** Present if the evidence is complete and well formed. */
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
    const sentence = `The evidence is complete, but this verifier does not know the prompt template “${template}”, and what the prompt said besides the memories.`;
    return { check: unknown("evidence", "template-unknown", sentence), signed };
  }
  const sentence = "The evidence is complete: every private field has its salt or its commitment, and nothing else.";
  return { check: pass("evidence", sentence), signed };
}

const malformed = (fault: string): ReadEvidence => ({
  check: fail("evidence", "evidence-malformed", `The evidence is malformed: ${fault}.`),
});

// The service's signature over the sealed form of the receipt, by a key that the gate names.

export interface SignedParts {
  readonly chain: ChainReceipt | undefined;
  readonly gate: ChainGate | undefined;
  readonly receipt: object | undefined;
  readonly signed: SignedForm | undefined;
}

export function checkSignature({ chain, gate, receipt, signed }: SignedParts): Check {
  if (chain === undefined || receipt === undefined) return withoutReceipt("signature");
  if (signed === undefined) return notSigned(receipt);
  const { keyId } = signed.signature;
  if (gate === undefined)
    return unknown(
      "signature",
      "keys-unknown",
      `It is signed by the key ${keyId}, but the policy object’s keys cannot be read.`,
    );
  const key = gate.keys.find((one) => one.keyId === keyId);
  if (key === undefined) {
    const sentence = `It is signed by the key ${keyId}, which the policy object does not name as a key of the service.`;
    return fail("signature", "key-not-on-gate", sentence);
  }
  if (!isSignatureOf(signed.form, signed.signature, key.publicKey))
    return fail("signature", "signature-wrong", WRONG_SIGNATURE);
  if (key.endedAtMs !== undefined && key.endedAtMs < chain.anchoredAtMs) {
    const sentence = `The key ${keyId} had ended before the receipt was anchored, so whoever has it by now could have signed.`;
    return fail("signature", "key-ended", sentence);
  }
  if (key.addedAtMs > chain.anchoredAtMs) {
    const sentence = `The key ${keyId} was put on the policy object after the receipt was anchored, so it does not show who signed before.`;
    return unknown("signature", "key-later", sentence);
  }
  return pass(
    "signature",
    `The service signed it when it was issued, with the key ${keyId}, which the policy object names.`,
  );
}

/** Of a receipt that is on no ledger. `publicKey` is the one that the transparency log names. */
export function checkLoggedSignature(
  receipt: object | undefined,
  signed: SignedForm | undefined,
  publicKey: Uint8Array | undefined,
): Check {
  if (receipt === undefined) return withoutReceipt("signature");
  if (signed === undefined) return notSigned(receipt);
  const by = `the key ${signed.signature.keyId}`;
  if (publicKey === undefined)
    return unknown("signature", "keys-unknown", `It is signed by ${by}, which no ledger and no log names here.`);
  return isSignatureOf(signed.form, signed.signature, publicKey)
    ? pass("signature", `The service signed it when it was issued, with ${by}, which the transparency log names.`)
    : fail("signature", "signature-wrong", WRONG_SIGNATURE);
}

const WRONG_SIGNATURE =
  "The signature does not belong to this receipt: a field was changed, or somebody else signed it.";

const notSigned = (receipt: object): Check =>
  "signature" in receipt
    ? fail("signature", "signature-malformed", "The receipt is malformed, so its signature covers something else.")
    : unknown("signature", "signature-absent", "The receipt is not signed. Nothing shows that the service issued it.");
