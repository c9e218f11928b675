// The used memories: is each blob the fact that the receipt shows a snippet of?
import { readCanonical } from "#core/encoding/canonical-json.ts";
import { contentAddress, digestHex } from "#core/encoding/digest.ts";
import {
  everyMember,
  exactFields,
  faultText,
  oneOf,
  type Rule,
  type Shaped,
  string,
} from "#core/encoding/json-shape.ts";
import { isEncryptedBlob } from "#core/encrypted-blob.ts";
import type { GateKey } from "#core/ledger/gate-object.ts";
import type { Fact } from "#core/memory.ts";
import { CLOCK_TOLERANCE_MS } from "#core/receipt/chain-receipt.ts";
import type { DisclosedFields } from "#core/receipt/opening.ts";
import { type ForeignReceipt, snippetOf, type UsedMemory } from "#core/receipt/receipt.ts";
import { name, signature, text, time } from "#core/receipt/receipt-shape.ts";
import { snippetPath } from "#core/receipt/sealed-form.ts";
import { isSignatureBy } from "#core/receipt/signature.ts";
import { FORGET_CAUSES, LONGEST_REASON, tombstoneBytes, tombstoneDigest } from "#core/tombstone.ts";
import { type Check, fail, pass, unknown, whileSealed, withoutReceipt } from "#core/verify/check.ts";
import type { Bound, Disclosed } from "#core/verify/disclosed.ts";
import type { FetchedBlob } from "#core/verify/observation.ts";
import type { Dates } from "./log-entries.ts";

type ShownMemory = ForeignReceipt["usedMemories"][number] & Bound;

/** More than the longest content and names need in UTF-8. */
const LARGEST_FACT = 40 * 1024;

/** The fact in a blob, or that there is no blob, or the check that did not pass, whatever the receipt shows. `digest` is that of the blob. */
type MemoryReading =
  | { readonly fact: Fact; readonly digest: string }
  | "missing"
  | { readonly encrypted: true; readonly digest: string }
  | { readonly check: Check };

interface Options {
  /** The store's ids follow from the bytes (`contentAddress`), so each id is checked too. */
  readonly isContentAddressed: boolean;
  readonly isSigned: boolean;
  /** The memories themselves were given to the caller, and so each as a whole. */
  readonly isRecalled: boolean;
  readonly keys: readonly GateKey[] | undefined;
  /** What the transparency log says, if its check passed. */
  readonly dates: Dates | undefined;
  /** What the service says of memories whose blobs are missing, by memory id. */
  readonly tombstones: ReadonlyMap<string, unknown>;
  readonly nowMs: number;
  readonly isSealed: boolean;
  readonly given: DisclosedFields;
}

export function checkMemories(
  known: Disclosed | undefined,
  memories: ReadonlyMap<string, FetchedBlob>,
  options: Options,
): Check[] {
  if (known === undefined) return [withoutReceipt("memory")];
  if (known.memories.length === 0)
    return [pass("memory", "The receipt says that no memory was used, so there is none to check.")];
  // Reading a blob is expensive, and a receipt may name one many times.
  const readings = new Map<string, MemoryReading>();
  return known.memories.map((memory, index) => {
    const shown = memory && shownIn(memory, index, known, options);
    if (shown === undefined) return { ...whileSealed("memory", "Not checked: this memory is sealed."), index };
    const { storeRef } = shown;
    const reading = readings.get(storeRef) ?? readMemory(storeRef, blobOf(shown, memories, options), options);
    readings.set(storeRef, reading);
    if (reading !== "missing") return { ...checkMemory(shown, reading, options), index };
    const { memoryId } = shown as Partial<UsedMemory>;
    const context = { ...options, memoryId, namespace: shown.namespace, createdAt: known.createdAt };
    return { ...checkTombstone(options.tombstones.get(memoryId ?? ""), context), index };
  });
}

/** Undefined while its snippet is sealed. */
function shownIn(memory: ShownMemory, index: number, { isWhole }: Disclosed, { given }: Options) {
  if (isWhole) return memory;
  const snippet = given.values.get(snippetPath(index));
  return snippet === undefined ? undefined : { ...memory, snippet: snippet as string };
}

const utf8 = new TextEncoder();

/** The text in the opening has the digest that the receipt names, so it is what a blob store would have to return. */
function blobOf(
  { contentDigest = "", storeRef }: ShownMemory,
  memories: ReadonlyMap<string, FetchedBlob>,
  { given }: Options,
) {
  const text = given.blobs.get(contentDigest);
  return text === undefined ? memories.get(storeRef) : utf8.encode(text);
}

function readMemory(storeRef: string, blob: FetchedBlob | undefined, options: Options): MemoryReading {
  const { isContentAddressed } = options;
  if (blob === undefined || blob === "unreachable") {
    const sentence = "The blob store did not answer when asked for this memory’s blob, or refused to for now.";
    return { check: unknown("memory", "memory-unreachable", sentence) };
  }
  if (blob === "missing") return "missing";
  if (isContentAddressed && blob.byteLength <= LARGEST_FACT) {
    const compared = { expected: storeRef, actual: contentAddress(blob) };
    if (compared.actual !== compared.expected)
      return { check: fail("memory", "memory-other-id", NOT_STORED, compared) };
  }
  const reading = readCanonical(blob, LARGEST_FACT);
  if ("fault" in reading) {
    const sentence = `The blob ${reading.fault}, so it is not a memory.`;
    return { check: fail("memory", "memory-malformed", sentence, reading.compared) };
  }
  if (isFact(reading.value)) return { fact: reading.value, digest: digestHex(blob) };
  if (isEncryptedBlob(reading.value)) return { encrypted: true, digest: digestHex(blob) };
  return { check: fail("memory", "memory-malformed", NO_MEMORY) };
}

function checkMemory(shown: ShownMemory, reading: Exclude<MemoryReading, "missing">, options: Options): Check {
  const { isContentAddressed, isSigned, isRecalled } = options;
  if ("check" in reading) return reading.check;
  if ("encrypted" in reading) {
    if (!options.isSealed || !isSigned) return fail("memory", "memory-malformed", NO_MEMORY);
    const digests = { expected: shown.contentDigest ?? "", actual: reading.digest };
    if (digests.actual !== digests.expected) return fail("memory", "memory-digest-differs", OTHER_CIPHERTEXT, digests);
    return { ...pass("memory", ENCRYPTED, digests), isEncrypted: true };
  }
  const { namespace, content } = reading.fact;
  const compared = { expected: line(shown.namespace, shown.snippet), actual: line(namespace, snippetOf(content)) };
  if (compared.actual !== compared.expected) {
    const sentence = "The blob is a memory, but not the one that the receipt shows.";
    return fail("memory", "memory-differs", sentence, compared);
  }
  const { contentDigest = "", given = 0 }: Bound = isSigned ? shown : {};
  if (isSigned && contentDigest !== reading.digest) {
    const digests = { expected: contentDigest, actual: reading.digest };
    const sentence =
      "The blob begins as the receipt shows, but blake2b256 of its bytes is not the digest in the receipt.";
    return fail("memory", "memory-digest-differs", sentence, digests);
  }
  if (given > content.length) {
    const lengths = { expected: `at most ${content.length}`, actual: String(given) };
    const sentence = "The receipt says that more of the text was given than there is.";
    return fail("memory", "memory-given-too-much", sentence, lengths);
  }
  if (isRecalled && given < content.length) {
    const lengths = { expected: String(content.length), actual: String(given) };
    const sentence =
      "The receipt says that only a part of the text was given. Memories that are recalled are given whole.";
    return fail("memory", "memory-given-in-part", sentence, lengths);
  }
  const binding = isSigned ? WHOLE : isContentAddressed ? "Its id follows from its bytes." : STORES_WORD;
  return pass("memory", `The blob is the memory whose namespace and snippet the receipt shows. ${binding}`, compared);
}

/** Of a sealed memory the receipt has the digest of its encrypted bytes. */
const ENCRYPTED =
  "The blob is an encrypted memory, and blake2b256 of its bytes is the digest in the receipt. That it says what the receipt shows is the service’s word.";
const OTHER_CIPHERTEXT =
  "The blob is an encrypted memory, but blake2b256 of its bytes is not the digest in the receipt.";
const NO_MEMORY =
  "The blob is not a memory, which has content, namespace and sourceAgent, perhaps metadata and occurredAt, and nothing else.";
const NOT_STORED = "The blob’s id does not follow from its bytes: they are not the ones that were stored under it.";
const WHOLE = "blake2b256 of its bytes is the digest in the receipt, so the whole text is the one that was used.";
const STORES_WORD = "That its id belongs to exactly these bytes, also beyond the snippet, is the store’s word.";

const anyText = string(() => undefined);
const anyValue: Rule = (value) =>
  typeof value === "number" || typeof value === "boolean" ? undefined : anyText(value);
const factShape = exactFields(
  { content: anyText, namespace: anyText, sourceAgent: anyText },
  { metadata: everyMember(anyValue), occurredAt: anyText },
);
const isFact = (value: unknown): value is Fact => factShape(value) === undefined;

// JSON keeps the two apart, whatever they contain.
const line = (namespace: string, snippet: string): string => JSON.stringify({ namespace, snippet });

// The tombstone of a memory whose blob is gone: the service's signed word that it was forgotten. It is a word, so it
// shows nothing of the memory, whoever signed it.

/** What the receipt says of the memory, the keys of the gate, and what the log says. */
interface Context {
  readonly memoryId: unknown;
  readonly namespace: string;
  readonly createdAt: string;
  readonly keys: readonly GateKey[] | undefined;
  readonly dates?: Dates | undefined;
  /** The receipt was anchored sealed, which publishes no memory. */
  readonly isSealed: boolean;
  readonly nowMs: number;
}

/** The check of a memory whose blob is missing. `given` is what the service answered, if anything. */
export function checkTombstone(given: unknown, context: Context): Check {
  const { memoryId, namespace, createdAt, keys, dates, isSealed, nowMs } = context;
  if (given === undefined) return unknown("memory", "memory-missing", isSealed ? NOT_IN_OPENING : MISSING);
  const fault = shape(given);
  if (fault !== undefined) return unknown("memory", "tombstone-malformed", `${MALFORMED}: ${faultText(fault)}.`);
  const tombstone = given as Shaped<typeof shape>;
  if (tombstone.memoryId !== memoryId || tombstone.namespace !== namespace)
    return unknown("memory", "memory-missing", MISSING);
  const { keyId, value } = tombstone.signature;
  const bytes = tombstoneBytes(tombstone);
  const named = [keys, dates?.keys].flatMap((each) => each?.find((key) => key.keyId === keyId) ?? []);
  const [key] = named;
  if (key === undefined || !isSignatureBy(value, bytes, key.publicKey))
    return unknown("memory", "tombstone-not-signed", NOT_SIGNED);
  const ended = Math.min(...named.map(({ endedAtMs = Number.POSITIVE_INFINITY }) => endedAtMs));
  const enteredAtMs = dates?.forgotten.get(tombstoneDigest(tombstone));
  if (enteredAtMs === undefined && ended !== Number.POSITIVE_INFINITY)
    return unknown("memory", "tombstone-key-ended", KEY_ENDED);
  if ((enteredAtMs ?? 0) > ended + CLOCK_TOLERANCE_MS) return fail("memory", "tombstone-after-key", AFTER_KEY);
  const { forgottenAt } = tombstone;
  if (Date.parse(forgottenAt) + CLOCK_TOLERANCE_MS < Date.parse(createdAt)) {
    const times = { expected: `after ${createdAt}`, actual: forgottenAt };
    return fail("memory", "memory-forgotten-before", FORGOTTEN_BEFORE, times);
  }
  if (Date.parse(forgottenAt) > nowMs + CLOCK_TOLERANCE_MS) {
    const times = { expected: `before ${new Date(nowMs).toISOString()}`, actual: forgottenAt };
    return unknown("memory", "tombstone-later", LATER, times);
  }
  const logged = tombstone.cause === "reset" ? "the reset" : "which";
  const sentence = `Forgotten on ${forgottenAt}, by the service’s signed word${enteredAtMs === undefined ? "" : `, ${logged} is in the log since ${new Date(enteredAtMs).toISOString()}`}. Its text cannot be checked any more: only its digest in the receipt is left.`;
  return unknown("memory", "memory-forgotten", sentence);
}

const MISSING =
  "The blob store has no blob with the id that the receipt gives for this memory, and no tombstone says that it was forgotten.";
const NOT_IN_OPENING =
  "The opening does not bring this memory’s blob, the blob store gives none to strangers, and no tombstone says that it was forgotten. A sealed receipt publishes no memory: whoever may read the memory can share the proof with it.";
const MALFORMED = "The blob store has no blob of this memory, and what the service returned is no tombstone";
const NOT_SIGNED =
  "The blob store has no blob of this memory, and its tombstone is not signed by a key of the policy object.";
const KEY_ENDED =
  "The blob store has no blob of this memory, its tombstone is signed by a key that has ended, and no entry of the log shows that it is older.";
const AFTER_KEY = "The tombstone is signed by a key that had ended when the log got its entry.";
const LATER = "The tombstone says that the memory will be forgotten, at a time that has not come by this clock.";
const FORGOTTEN_BEFORE =
  "The memory was forgotten before the answer was made, so the answer cannot have been given it.";

const word = string((value) => (value === "" ? "must not be empty" : undefined));
const shape = exactFields(
  {
    cause: oneOf(...FORGET_CAUSES),
    forgottenAt: time,
    forgottenBy: word,
    memoryId: text(128),
    namespace: name,
    signature,
  },
  { reason: string((value) => (value.length > LONGEST_REASON ? "is too long" : undefined)) },
);
