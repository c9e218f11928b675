import { ed25519 } from "@noble/curves/ed25519.js";
import { orUndefined } from "#core/or-undefined.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import { sealedFormOf, signedBytes } from "./sealed-form.ts";

/** Whether the signature over the receipt's sealed form is by this key (Ed25519, 32 bytes). */
export function isSignedBy(receipt: AnswerReceipt, publicKey: Uint8Array): boolean {
  const bytes = signedBytes(sealedFormOf(receipt));
  const value = bytesOf(receipt.signature.value);
  // `zip215: false`: as RFC 8032 has it. Verifiers differ in what they accept beyond it.
  return orUndefined(() => ed25519.verify(value, bytes, publicKey, { zip215: false })) === true;
}

const bytesOf = (base64url: string): Uint8Array =>
  Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
