// Checkpoints (C2SP tlog-checkpoint): the size and the root of a log, as the text of a signed note; and cosignatures (C2SP
// tlog-cosignature), by which a witness says that it has seen no other tree of this log.
import { fromBase64, toBase64 } from "./base64.ts";
import { isIncluded, type Tree } from "./merkle-tree.ts";
import { isSignature, type NoteKey, parseNote, type SignedNote, signaturesOf } from "./signed-note.ts";

export interface Checkpoint extends Tree {
  readonly origin: string;
}

export interface SignedCheckpoint extends Checkpoint {
  readonly note: SignedNote;
}

const HASH_BYTES = 32;
const TIME_BYTES = 8;
const utf8 = new TextEncoder();

export const checkpointText = ({ origin, size, root }: Checkpoint): string => `${origin}\n${size}\n${toBase64(root)}\n`;

/** Undefined if it is malformed. Its signatures are not checked. */
export function parseCheckpoint(note: string): SignedCheckpoint | undefined {
  const parsed = parseNote(note);
  const [origin = "", size = "", root = "", ...more] = parsed?.text.split("\n") ?? [];
  const hash = fromBase64(root);
  const isWhole = origin !== "" && hash?.length === HASH_BYTES && more.at(-1) === "" && !more.slice(0, -1).includes("");
  const count = parseSize(size);
  return parsed && isWhole && count !== undefined ? { origin, size: count, root: hash, note: parsed } : undefined;
}

/** A decimal number without leading zeros. Undefined if it is another text, or a number beyond 2^53. */
export function parseSize(text: string): number | undefined {
  const size = /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(size) ? size : undefined;
}

/** What a witness signs. */
export const cosignedBytes = (text: string, seconds: number): Uint8Array =>
  utf8.encode(`cosignature/v1\ntime ${seconds}\n${text}`);

/** The time, and the signature of `cosignedBytes`. */
export function cosignatureOf(seconds: number, signature: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(TIME_BYTES + signature.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(seconds));
  bytes.set(signature, TIME_BYTES);
  return bytes;
}

/** When the witness has cosigned the note, in seconds since 1970. Undefined if it has not. */
export function cosignedAt(note: SignedNote, witness: NoteKey): number | undefined {
  const times = signaturesOf(note, witness).map((bytes) => timeOf(bytes, note.text, witness));
  return times.includes(undefined) ? undefined : times.at(-1);
}

function timeOf(bytes: Uint8Array, text: string, witness: NoteKey): number | undefined {
  if (bytes.length <= TIME_BYTES) return undefined;
  const seconds = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0));
  const isCosigned =
    Number.isSafeInteger(seconds) &&
    seconds > 0 &&
    isSignature(bytes.subarray(TIME_BYTES), cosignedBytes(text, seconds), witness);
  return isCosigned ? seconds : undefined;
}

// Files that end in `.tlog-proof` (C2SP tlog-proof): an entry's place in a log, for somebody who has the entry.

const PROOF_HEADER = "c2sp.org/tlog-proof@v1";

export interface LogProof {
  readonly index: number;
  readonly hashes: readonly Uint8Array[];
  /** The note, with all its signatures. */
  readonly checkpoint: string;
}

export const proofFile = ({ index, hashes, checkpoint }: LogProof): string =>
  `${[PROOF_HEADER, `index ${index}`, ...hashes.map(toBase64)].join("\n")}\n\n${checkpoint}`;

/** The checkpoint of the proof, if it leads there from the leaf. Its signatures are not checked. */
export function provenCheckpoint(
  leaf: Uint8Array,
  { index, hashes, checkpoint }: LogProof,
): SignedCheckpoint | undefined {
  const tree = parseCheckpoint(checkpoint);
  return tree && isIncluded(leaf, index, tree, hashes) ? tree : undefined;
}
