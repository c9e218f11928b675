import { ed25519 } from "@noble/curves/ed25519.js";
import { orUndefined } from "#core/or-undefined.ts";
import type { AnswerReceipt, Signature } from "#core/receipt/receipt.ts";
import { type SealedForm, sealedFormOf, signedBytes } from "./sealed-form.ts";

/** Whether the signature over the sealed form is by this key (Ed25519, 32 bytes). */
export function isSignatureOf(form: SealedForm, { value }: Signature, publicKey: Uint8Array): boolean {
  // `zip215: false`: as RFC 8032 has it. Verifiers differ in what they accept beyond it.
  return orUndefined(() => ed25519.verify(bytesOf(value), signedBytes(form), publicKey, { zip215: false })) === true;
}

/** The same for an open form. */
export function isSignedBy(receipt: AnswerReceipt, publicKey: Uint8Array): boolean {
  return isSignatureOf(sealedFormOf(receipt), receipt.signature, publicKey);
}

const bytesOf = (base64url: string): Uint8Array =>
  Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
