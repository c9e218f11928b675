import { ed25519 } from "@noble/curves/ed25519.js";
import { orUndefined } from "#core/defined.ts";
import { digestHex, toHex } from "#core/encoding/digest.ts";
import { bytesOf as ofBase64 } from "#core/log/base64.ts";
import { sha256 } from "#core/log/sha256.ts";
import type { AnswerReceipt, Signature } from "./receipt.ts";
import { type SealedForm, sealedFormOf, signedBytes } from "./sealed-form.ts";

const PREFIX = new TextEncoder().encode("portcullis/key/v1\0");
const ID_DIGITS = 32;

/** The id of an Ed25519 public key, which has 32 bytes. */
export function keyIdOf(publicKey: Uint8Array): string {
  const bytes = new Uint8Array(PREFIX.length + publicKey.length);
  bytes.set(PREFIX);
  bytes.set(publicKey, PREFIX.length);
  return digestHex(bytes).slice(0, ID_DIGITS);
}

export const isSignatureOf = (form: SealedForm, { value }: Signature, publicKey: Uint8Array): boolean =>
  isSignatureBy(value, signedBytes(form), publicKey);

export const isSignedBy = (receipt: AnswerReceipt, publicKey: Uint8Array): boolean =>
  isSignatureOf(sealedFormOf(receipt), receipt.signature, publicKey);

/** Whether `value`, base64url, is the signature of these bytes by this key. */
export function isSignatureBy(value: string, bytes: Uint8Array, publicKey: Uint8Array): boolean {
  // `zip215: false`: as RFC 8032 has it. Verifiers differ in what they accept beyond it.
  return orUndefined(() => ed25519.verify(bytesOf(value), bytes, publicKey, { zip215: false })) === true;
}

/** By which entries of the transparency log name a receipt. SHA-256, hex. */
export const signatureDigestOf = ({ value }: Signature): string =>
  toHex(sha256(orUndefined(() => bytesOf(value)) ?? new Uint8Array()));

const bytesOf = (base64url: string): Uint8Array => ofBase64(base64url.replaceAll("-", "+").replaceAll("_", "/"));
