// The layouts of sealed memories: the text of an encrypted blob, what is encrypted, and what the encryption is bound to.
// The encryption itself is an adapter's (ports/memory-cipher.ts).
import { canonicalJson } from "./encoding/canonical-json.ts";
import { type Fact, factText } from "./memory.ts";
import { orUndefined } from "./or-undefined.ts";

/** What the blob of a sealed memory holds, as canonical JSON. It names neither the namespace nor the source agent. */
export interface SealedBlob {
  readonly alg: "A256GCM";
  /** With the tag of 16 bytes at its end; base64url. */
  readonly ciphertext: string;
  /** 12 bytes, base64url. */
  readonly iv: string;
  readonly v: 1;
}

/** A blob's length tells that of its text, and so it is rounded up to a multiple of this. */
const PADDED_TO = 64;

const SPACE = 0x20;
const utf8 = new TextEncoder();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function sealedBlobText(iv: string, ciphertext: string): string {
  return canonicalJson({ alg: "A256GCM", ciphertext, iv, v: 1 } satisfies SealedBlob);
}

const BASE64URL = /^[\w-]*$/;

/** Whether a blob that is canonical JSON is that of a sealed memory. */
export function isSealedBlob(value: unknown): value is SealedBlob {
  if (typeof value !== "object" || value === null || Object.keys(value).length !== 4) return false;
  const { alg, ciphertext, iv, v } = value as Partial<Record<keyof SealedBlob, unknown>>;
  const isText = (text: unknown) => typeof text === "string" && BASE64URL.test(text);
  return alg === "A256GCM" && v === 1 && isText(ciphertext) && isText(iv);
}

/** Undefined when it is not one. */
export function readSealedBlob(text: string): SealedBlob | undefined {
  const value = orUndefined((): unknown => JSON.parse(text));
  return isSealedBlob(value) && canonicalJson(value) === text ? value : undefined;
}

/** The plaintext: the fact's canonical JSON, and spaces up to a multiple of `PADDED_TO` bytes. */
export const paddedFact = (fact: Fact): Uint8Array<ArrayBuffer> => padded(factText(fact));

/** JSON in the place of the text, so that spaces at its end are not taken for padding. */
export const paddedQuestion = (question: string): Uint8Array<ArrayBuffer> => padded(JSON.stringify(question));

/** Undefined when these are not the bytes of a padded question. */
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

/** Undefined when these are not the bytes of a padded fact. */
export function readPaddedFact(bytes: Uint8Array): Fact | undefined {
  return orUndefined(() => {
    const text = strictUtf8.decode(bytes);
    const { content, namespace, sourceAgent } = JSON.parse(text) as Fact;
    const fact = { content, namespace, sourceAgent };
    return factText(fact) === text.trimEnd() ? fact : undefined;
  });
}

/** Associated data of the encryption: a ciphertext opens only as what it was made as. The version is that of the format. */
export const boundTo = {
  memory: (memoryId: string, namespace: string) => bound("portcullis/sealed-memory/v1", memoryId, namespace),
  memoryKey: (memoryId: string) => bound("portcullis/wrapped-key/v1", memoryId),
  question: (answerId: string) => bound("portcullis/sealed-question/v1", answerId),
  seed: (answerId: string) => bound("portcullis/sealed-seed/v1", answerId),
  secret: (keyId: string) => bound("portcullis/sealing-secret/v1", keyId),
};

const bound = (...parts: readonly string[]): Uint8Array<ArrayBuffer> => utf8.encode(canonicalJson(parts));

/** What the keyed hash of a fact is of. The same fact under another key is another one. */
export function hashedFact(fact: Fact, key: string | undefined): Uint8Array {
  return utf8.encode(canonicalJson([factText(fact), key ?? null]));
}
