// Signed notes (C2SP signed-note): a text, an empty line, and lines of signatures. Keys are written as vkeys:
// <name>+<id>+<base64 of type and public key>.
import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { orUndefined } from "#core/defined.ts";
import { toHex } from "#core/encoding/digest.ts";
import { fromBase64, toBase64 } from "./base64.ts";

/** Ed25519 over the text, and Ed25519 over the text with a time. */
export const KEY_TYPES = { signature: 0x01, cosignature: 0x04 } as const;
type KeyType = (typeof KEY_TYPES)[keyof typeof KEY_TYPES];

export interface NoteKey {
  readonly name: string;
  readonly type: KeyType;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

interface SignatureLine {
  readonly name: string;
  /** The four bytes of the key's id, in hexadecimal. */
  readonly keyId: string;
  readonly signature: Uint8Array;
}

export interface SignedNote {
  /** With its last newline. */
  readonly text: string;
  readonly signatures: readonly SignatureLine[];
}

const ID_BYTES = 4;
const KEY_BYTES = 32;
const MOST_BYTES = 256 * 1024;
const MOST_SIGNATURES = 64;
const KEY_NAME = /^[^\s+\p{Cc}]+$/u;
const SIGNATURE_LINE = /^— ([^\s+\p{Cc}]+) ([A-Za-z0-9+/]+={0,2})$/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a note may not have.
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/;
const utf8 = new TextEncoder();

export const keyIdOf = ({ name, type, publicKey }: NoteKey): string =>
  toHex(sha256(Uint8Array.of(...utf8.encode(`${name}\n`), type, ...publicKey)).subarray(0, ID_BYTES));

export const vkeyOf = (key: NoteKey): string =>
  `${key.name}+${keyIdOf(key)}+${toBase64(Uint8Array.of(key.type, ...key.publicKey))}`;

/** Undefined if it is malformed, or of a type that is not ours. */
export function parseVkey(vkey: string): NoteKey | undefined {
  const [, name = "", id, encoded = ""] = /^([^+]*)\+([^+]*)\+(.*)$/s.exec(vkey) ?? [];
  const bytes = fromBase64(encoded);
  if (!isKeyName(name) || bytes?.length !== 1 + KEY_BYTES) return undefined;
  const type = Object.values(KEY_TYPES).find((known) => known === bytes[0]);
  const key = type && { name, type, publicKey: bytes.subarray(1) };
  return key !== undefined && keyIdOf(key) === id ? key : undefined;
}

export const isKeyName = (name: string): boolean => KEY_NAME.test(name);

export const signatureLine = (key: NoteKey, signature: Uint8Array): string =>
  `— ${key.name} ${toBase64(concatBytes(hexToBytes(keyIdOf(key)), signature))}\n`;

/** Undefined if it is malformed. The last empty line separates the text from the signatures. */
export function parseNote(note: string): SignedNote | undefined {
  const end = note.lastIndexOf("\n\n");
  if (end <= 0 || note.length > MOST_BYTES || CONTROL.test(note) || !note.isWellFormed()) return undefined;
  const [last, ...lines] = note
    .slice(end + 2)
    .split("\n", MOST_SIGNATURES + 1)
    .reverse();
  const signatures = lines.map(parseSignature).filter((each) => each !== undefined);
  const isWhole = last === "" && lines.length > 0 && signatures.length === lines.length;
  return isWhole ? { text: note.slice(0, end + 1), signatures: signatures.reverse() } : undefined;
}

function parseSignature(line: string): SignatureLine | undefined {
  const [, name = "", encoded = ""] = SIGNATURE_LINE.exec(line) ?? [];
  const bytes = fromBase64(encoded);
  if (bytes === undefined || bytes.length <= ID_BYTES) return undefined;
  return { name, keyId: toHex(bytes.subarray(0, ID_BYTES)), signature: bytes.subarray(ID_BYTES) };
}

/** The signatures of the note that have the name and the id of the key. */
export const signaturesOf = ({ signatures }: Pick<SignedNote, "signatures">, key: NoteKey): readonly Uint8Array[] => {
  const keyId = keyIdOf(key);
  return signatures.filter((each) => each.name === key.name && each.keyId === keyId).map(({ signature }) => signature);
};

/** "missing" if the key has not signed; "invalid" if a signature that claims to be of it is not. */
export function checkSignature(note: SignedNote, key: NoteKey): "valid" | "invalid" | "missing" {
  const [signature, ...more] = signaturesOf(note, key);
  if (signature === undefined) return "missing";
  // Each costs time to check, and one says it all.
  const isValid = more.length === 0 && isSignature(signature, utf8.encode(note.text), key);
  return isValid ? "valid" : "invalid";
}

/** As RFC 8032 has it: verifiers differ in what they accept beyond it. */
export const isSignature = (signature: Uint8Array, bytes: Uint8Array, { publicKey }: NoteKey): boolean =>
  orUndefined(() => ed25519.verify(signature, bytes, publicKey, { zip215: false })) === true;
