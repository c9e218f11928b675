// A receipt that somebody holds, as a file or as a public blob, without the ledger: what it shows by itself, and whether it
// is the one that was anchored.
import { orUndefined } from "#core/defined.ts";
import { canonicalJson, canonicalJsonWithin } from "#core/encoding/canonical-json.ts";
import { digestHex } from "#core/encoding/digest.ts";
import { type ForeignReceipt, LARGEST_RECEIPT } from "#core/receipt/receipt.ts";
import type { SealedReceipt } from "#core/receipt/receipt-shape.ts";
import { isSignatureOf } from "#core/receipt/signature.ts";
import { type Check, checkOf } from "./check.ts";
import { checkReceiptText } from "./checks/blob.ts";
import { checkEvidence, type SignedForm } from "./checks/evidence.ts";
import { checkStatements, checkStored } from "./checks/statements.ts";
import { disclosedBy, disclosedIn, NOTHING_DISCLOSED } from "./disclosed.ts";

const [ofDigest, ofSignature] = [checkOf("digest"), checkOf("signature")];

export interface HeldReceipt {
  readonly answerId: string;
  readonly digest: string;
  /** One of the two. */
  readonly receipt?: ForeignReceipt;
  readonly sealed?: SealedReceipt;
  /** What the service signed, if it signed it. */
  readonly signed?: SignedForm;
  readonly evidence: Check;
}

export interface NamedKey {
  readonly keyId: string;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly hasEnded: boolean;
}

/** `value` is any JSON. The fault is for people. */
export function readHeldReceipt(value: unknown): { readonly held: HeldReceipt } | { readonly fault: string } {
  const text = orUndefined(() => canonicalJsonWithin(LARGEST_RECEIPT, value));
  if (text === undefined) return { fault: "It is larger than any receipt, or no JSON that has a canonical form." };
  const bytes = new TextEncoder().encode(text);
  const { check, ...read } = checkReceiptText(bytes);
  const { receipt, sealed } = read;
  const open = receipt ?? sealed;
  if (open === undefined) return { fault: check.sentence.replace(/^The blob is canonical JSON, but /, "It is ") };
  const { check: evidence, ...signed } = checkEvidence(read);
  const form = receipt ? { receipt } : sealed && { sealed };
  return { held: { answerId: open.answerId, digest: digestHex(bytes), ...form, ...signed, evidence } };
}

/** What the receipt shows by itself. `keys` are those that the operator names; undefined if they are not known. */
export function checkHeldReceipt(held: HeldReceipt, keys: readonly NamedKey[] | undefined): Check[] {
  const { receipt, sealed, signed } = held;
  const known = receipt ? disclosedBy(receipt) : sealed && disclosedIn(sealed, NOTHING_DISCLOSED);
  return [
    held.evidence,
    checkStatements(known, signed !== undefined),
    checkStored(known),
    checkNamedSignature(held, keys),
  ];
}

function checkNamedSignature({ receipt, signed }: HeldReceipt, keys: readonly NamedKey[] | undefined): Check {
  if (signed === undefined)
    return receipt !== undefined && "signature" in receipt
      ? ofSignature.fail("signature-malformed")
      : ofSignature.unknown("signature-absent/held");
  const { keyId } = signed.signature;
  if (keys === undefined) return ofSignature.unknown("keys-unknown/held", { keyId });
  const key = keys.find((one) => one.keyId === keyId);
  if (key === undefined) return ofSignature.fail("key-not-on-gate/held", { keyId });
  if (!isSignatureOf(signed.form, signed.signature, key.publicKey)) return ofSignature.fail("signature-wrong");
  return key.hasEnded ? ofSignature.unknown("key-ended-unanchored", { keyId }) : ofSignature.pass("held", { keyId });
}

/** Whether it is the receipt in an anchored blob: the same bytes, or the same signed form with other fields shown. */
export function checkAnchoredText(held: HeldReceipt, anchored: Uint8Array): Check {
  const compared = { expected: digestHex(anchored), actual: held.digest };
  if (compared.expected === compared.actual) return ofDigest.pass("held", { compared });
  const { signed } = checkEvidence(checkReceiptText(anchored));
  const isSame =
    signed !== undefined && held.signed !== undefined && canonicalJson(signed) === canonicalJson(held.signed);
  return isSame ? ofDigest.pass("held-otherwise") : ofDigest.fail("digest-differs/held", { compared });
}
