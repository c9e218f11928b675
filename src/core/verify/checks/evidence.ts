// The receipt's evidence: whether it is complete and well formed.
import type { ChainGate } from "#core/ledger/gate-object.ts";
import { isPromptTemplate } from "#core/prompt/template.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { AnswerReceipt, Signature } from "#core/receipt/receipt.ts";
import { signedReceiptFault } from "#core/receipt/receipt-shape.ts";
import { type SealedForm, sealedFormOf } from "#core/receipt/sealed-form.ts";
import { isSignatureOf } from "#core/receipt/signature.ts";
import { type Check, checkOf, withoutReceipt } from "#core/verify/check.ts";
import type { ReadReceipt } from "./blob.ts";

const [ofEvidence, ofSignature] = [checkOf("evidence"), checkOf("signature")];

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

/** Of an open receipt, or of a sealed one, whose shape was checked when it was read. */
export function checkEvidence({ receipt, sealed }: Omit<ReadReceipt, "check">): ReadEvidence {
  if (sealed !== undefined) {
    const { signature, ...form } = sealed;
    return checkTemplate({ form, signature });
  }
  if (receipt === undefined) return { check: withoutReceipt("evidence") };
  const members = new Map<string, unknown>(Object.entries(receipt));
  const evidence = members.get("evidence");
  if (evidence === undefined) {
    if (members.has("signature")) return malformed("it has a signature without evidence");
    return { check: ofEvidence.unknown("evidence-absent") };
  }
  const fault = signedReceiptFault(receipt);
  if (fault !== undefined) return malformed(fault);
  const { signature } = receipt as AnswerReceipt;
  return checkTemplate({ form: sealedFormOf(receipt as AnswerReceipt), signature });
}

function checkTemplate(signed: SignedForm): ReadEvidence {
  const { template } = signed.form;
  if (template !== null && !isPromptTemplate(template))
    return { check: ofEvidence.unknown("template-unknown", { template }), signed };
  return { check: ofEvidence.pass("complete"), signed };
}

const malformed = (fault: string): ReadEvidence => ({ check: ofEvidence.fail("evidence-malformed", { fault }) });

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
  if (gate === undefined) return ofSignature.unknown("keys-unknown", { keyId });
  const key = gate.keys.find((one) => one.keyId === keyId);
  if (key === undefined) return ofSignature.fail("key-not-on-gate", { keyId });
  if (!isSignatureOf(signed.form, signed.signature, key.publicKey)) return ofSignature.fail("signature-wrong");
  if (key.endedAtMs !== undefined && key.endedAtMs < chain.anchoredAtMs)
    return ofSignature.fail("key-ended", { keyId });
  if (key.addedAtMs > chain.anchoredAtMs) return ofSignature.unknown("key-later", { keyId });
  return ofSignature.pass("by-gate", { keyId });
}

/** Of a receipt that is on no ledger. `publicKey` is the one that the transparency log names. */
export function checkLoggedSignature(
  receipt: object | undefined,
  signed: SignedForm | undefined,
  publicKey: Uint8Array | undefined,
): Check {
  if (receipt === undefined) return withoutReceipt("signature");
  if (signed === undefined) return notSigned(receipt);
  const { keyId } = signed.signature;
  if (publicKey === undefined) return ofSignature.unknown("keys-unknown/in-no-log", { keyId });
  return isSignatureOf(signed.form, signed.signature, publicKey)
    ? ofSignature.pass("by-log", { keyId })
    : ofSignature.fail("signature-wrong");
}

const notSigned = (receipt: object): Check =>
  "signature" in receipt ? ofSignature.fail("signature-malformed") : ofSignature.unknown("signature-absent");
