import { ed25519 } from "@noble/curves/ed25519.js";
import { orUndefined } from "#core/or-undefined.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import { sealedFormOf, signedBytes } from "./sealed-form.ts";

/** Whether the signature over the receipt's sealed form is by this key (Ed25519, 32 bytes). */
export function isSignedBy(receipt: AnswerReceipt, publicKey: Uint8Array): boolean {
  return isSignatureBy(receipt.signature.value, signedBytes(sealedFormOf(receipt)), publicKey);
}

/** Whether `value`, base64url, is the signature of these bytes by this key. */
export function isSignatureBy(value: string, bytes: Uint8Array, publicKey: Uint8Array): boolean {
  // `zip215: false`: as RFC 8032 has it. Verifiers differ in what they accept beyond it.
  return orUndefined(() => ed25519.verify(bytesOf(value), bytes, publicKey, { zip215: false })) === true;
}

const bytesOf = (base64url: string): Uint8Array =>
  Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
