// The layouts of encrypted memories, and what the encryption is bound to. An adapter encrypts (ports/memory-cipher.ts).
import { hexToBytes } from "@noble/hashes/utils.js";
import { orUndefined } from "./defined.ts";
import { canonicalJson } from "./encoding/canonical-json.ts";
import * as shape from "./encoding/json-shape.ts";
import { bytesOf } from "./log/base64.ts";
import { detailsOf, type Fact, factText } from "./memory.ts";

const base64url = shape.matching(/^[\w-]*$/, "base64url");
/** What the blob of an encrypted memory holds, as canonical JSON. It names neither the namespace nor the source agent. */
const encryptedBlob = shape.exactFields({
  alg: shape.oneOf("A256GCM"),
  /** With the tag of 16 bytes at its end. */
  ciphertext: base64url,
  /** 12 bytes. */
  iv: base64url,
  v: shape.oneOf(1),
});
type EncryptedBlob = shape.Shaped<typeof encryptedBlob>;

/** A blob's length tells that of its text, and so it is rounded up to a multiple of this. */
const PADDED_TO = 64;

const SPACE = 0x20;
const utf8 = new TextEncoder();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export const encryptedBlobText = (iv: string, ciphertext: string): string =>
  canonicalJson({ alg: "A256GCM", ciphertext, iv, v: 1 } satisfies EncryptedBlob);

export const isEncryptedBlob = (value: unknown): value is EncryptedBlob => shape.fits(encryptedBlob, value);

export function readEncryptedBlob(text: string): EncryptedBlob | undefined {
  const value = orUndefined((): unknown => JSON.parse(text));
  return isEncryptedBlob(value) && canonicalJson(value) === text ? value : undefined;
}

/** The plaintext: the fact's canonical JSON, and spaces up to a multiple of `PADDED_TO` bytes. */
export const paddedFact = (fact: Fact): Uint8Array<ArrayBuffer> => padded(factText(fact));

/** JSON in the place of the text, so that spaces at its end are not taken for padding. */
export const paddedQuestion = (question: string): Uint8Array<ArrayBuffer> => padded(JSON.stringify(question));

export function readPaddedQuestion(bytes: Uint8Array): string | undefined {
  const text = orUndefined((): unknown => JSON.parse(strictUtf8.decode(bytes)));
  return typeof text === "string" ? text : undefined;
}

function padded(text: string): Uint8Array<ArrayBuffer> {
  const bytes = utf8.encode(text);
  const padded = new Uint8Array(Math.ceil(bytes.length / PADDED_TO) * PADDED_TO).fill(SPACE);
  padded.set(bytes);
  return padded;
}

export function readPaddedFact(bytes: Uint8Array): Fact | undefined {
  return orUndefined(() => {
    const text = strictUtf8.decode(bytes);
    const { content, namespace, sourceAgent, ...details } = JSON.parse(text) as Fact;
    const fact = { content, namespace, sourceAgent, ...detailsOf(details) };
    return factText(fact) === text.trimEnd() ? fact : undefined;
  });
}

/** Associated data of the encryption: a ciphertext opens only as what it was made as. The version is that of the format. */
export const boundTo = {
  memory: (memoryId: string, namespace: string) => bound("portcullis/encrypted-memory/v1", memoryId, namespace),
  memoryKey: (memoryId: string) => bound("portcullis/wrapped-key/v1", memoryId),
  question: (answerId: string) => bound("portcullis/encrypted-question/v1", answerId),
  seed: (answerId: string) => bound("portcullis/encrypted-seed/v1", answerId),
  secret: (keyId: string) => bound("portcullis/encryption-secret/v1", keyId),
};

const bound = (...parts: readonly string[]): Uint8Array<ArrayBuffer> => utf8.encode(canonicalJson(parts));

/** What the keyed hash of a fact is of. The same fact under another key is another one. */
export const hashedFact = (fact: Fact, key: string | undefined): Uint8Array =>
  utf8.encode(canonicalJson([factText(fact), key ?? null]));

const KEY_BYTES = 32;

/** A key of 32 bytes, written as 64 hex digits or as base64. Undefined when it is not one. */
export function parseEncryptionKey(text: string): Uint8Array | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return hexToBytes(text);
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined;
  const bytes = bytesOf(text.replaceAll("-", "+").replaceAll("_", "/").replace("=", ""));
  return bytes.length === KEY_BYTES ? bytes : undefined;
}
