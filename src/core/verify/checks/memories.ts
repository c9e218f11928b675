// The used memories: is each blob the fact that the receipt shows a snippet of?
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import { readCanonical } from "#core/encoding/canonical-json.ts";
import { contentAddress, digestHex } from "#core/encoding/digest.ts";
import * as shape from "#core/encoding/json-shape.ts";
import { isEncryptedBlob } from "#core/encrypted-blob.ts";
import type { GateKey } from "#core/ledger/gate-object.ts";
import type { Fact } from "#core/memory.ts";
import { CLOCK_TOLERANCE_MS } from "#core/receipt/chain-receipt.ts";
import type { DisclosedFields } from "#core/receipt/opening.ts";
import { type ForeignReceipt, snippetOf, type UsedMemory } from "#core/receipt/receipt.ts";
import { name, signature, text, time } from "#core/receipt/receipt-rules.ts";
import { snippetPath } from "#core/receipt/sealed-form.ts";
import { isSignatureBy } from "#core/receipt/signature.ts";
import { FORGET_CAUSES, LONGEST_REASON, tombstoneBytes, tombstoneDigest } from "#core/tombstone.ts";
import { type Check, checkOf, withoutReceipt } from "#core/verify/check.ts";
import type { Bound, Disclosed } from "#core/verify/disclosed.ts";
import type { FetchedBlob } from "#core/verify/observation.ts";
import type { Dates } from "./log-entries.ts";

const ofMemory = checkOf("memory");

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
  /** The receipt was anchored sealed, which publishes no memory. */
  readonly isSealed: boolean;
  readonly given: DisclosedFields;
}

export function checkMemories(
  known: Disclosed | undefined,
  memories: ReadonlyMap<string, FetchedBlob>,
  options: Options,
): Check[] {
  if (known === undefined) return [withoutReceipt("memory")];
  if (known.memories.length === 0) return [ofMemory.pass("none")];
  // Reading a blob is expensive, and a receipt may name one many times.
  const readings = new Map<string, MemoryReading>();
  return known.memories.map((memory, index) => {
    const shown = memory && shownIn(memory, index, known, options);
    if (shown === undefined) return { ...ofMemory.unknown("sealed"), index };
    const { storeRef } = shown;
    const read = () => readMemory(storeRef, blobOf(shown, memories, options), options);
    const reading = getOrInsert(readings, storeRef, read);
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
  if (blob === undefined || blob === "unreachable") return { check: ofMemory.unknown("memory-unreachable") };
  if (blob === "missing") return "missing";
  if (isContentAddressed && blob.byteLength <= LARGEST_FACT) {
    const compared = { expected: storeRef, actual: contentAddress(blob) };
    if (compared.actual !== compared.expected) return { check: ofMemory.fail("memory-other-id", { compared }) };
  }
  const reading = readCanonical(blob, LARGEST_FACT);
  if ("fault" in reading) return { check: ofMemory.fail("memory-malformed/json", { ...reading }) };
  if (isFact(reading.value)) return { fact: reading.value, digest: digestHex(blob) };
  if (isEncryptedBlob(reading.value)) return { encrypted: true, digest: digestHex(blob) };
  return { check: ofMemory.fail("memory-malformed") };
}

function checkMemory(shown: ShownMemory, reading: Exclude<MemoryReading, "missing">, options: Options): Check {
  const { isContentAddressed, isSigned, isRecalled } = options;
  if ("check" in reading) return reading.check;
  if ("encrypted" in reading) {
    if (!options.isSealed || !isSigned) return ofMemory.fail("memory-malformed");
    const compared = { expected: shown.contentDigest ?? "", actual: reading.digest };
    if (compared.actual !== compared.expected) return ofMemory.fail("memory-digest-differs/encrypted", { compared });
    return { ...ofMemory.pass("encrypted", { compared }), isEncrypted: true };
  }
  const { namespace, content } = reading.fact;
  const compared = { expected: line(shown.namespace, shown.snippet), actual: line(namespace, snippetOf(content)) };
  if (compared.actual !== compared.expected) return ofMemory.fail("memory-differs", { compared });
  const { contentDigest = "", given = 0 }: Bound = isSigned ? shown : {};
  if (isSigned && contentDigest !== reading.digest)
    return ofMemory.fail("memory-digest-differs", { compared: { expected: contentDigest, actual: reading.digest } });
  if (given > content.length) {
    const lengths = { expected: `at most ${content.length}`, actual: String(given) };
    return ofMemory.fail("memory-given-too-much", { compared: lengths });
  }
  if (isRecalled && given < content.length) {
    const lengths = { expected: String(content.length), actual: String(given) };
    return ofMemory.fail("memory-given-in-part", { compared: lengths });
  }
  return ofMemory.pass(isSigned ? "whole" : isContentAddressed ? "by-id" : "by-store", { compared });
}

const anyValue: shape.Rule = (value) =>
  typeof value === "number" || typeof value === "boolean" ? undefined : shape.anyString(value);
const factShape = shape.exactFields(
  { content: shape.anyString, namespace: shape.anyString, sourceAgent: shape.anyString },
  { metadata: shape.everyMember(anyValue), occurredAt: shape.anyString },
);
const isFact = (value: unknown): value is Fact => factShape(value) === undefined;

// JSON keeps the two apart, whatever they contain.
const line = (namespace: string, snippet: string): string => JSON.stringify({ namespace, snippet });

// The tombstone of a memory whose blob is gone: the service's signed word that it was forgotten. It is a word, so it
// shows nothing of the memory, whoever signed it.

/** What the receipt says of the memory, the keys of the gate, and what the log says. */
interface Context extends Pick<Options, "keys" | "isSealed" | "nowMs">, Partial<Pick<Options, "dates">> {
  readonly memoryId: unknown;
  readonly namespace: string;
  readonly createdAt: string;
}

/** The check of a memory whose blob is missing. `given` is what the service answered, if anything. */
export function checkTombstone(given: unknown, context: Context): Check {
  const { memoryId, namespace, createdAt, keys, dates, isSealed, nowMs } = context;
  if (given === undefined) return ofMemory.unknown(isSealed ? "memory-missing/in-opening" : "memory-missing");
  const fault = tombstoneShape(given);
  if (fault !== undefined) return ofMemory.unknown("tombstone-malformed", { fault: shape.faultText(fault) });
  const tombstone = given as shape.Shaped<typeof tombstoneShape>;
  if (tombstone.memoryId !== memoryId || tombstone.namespace !== namespace) return ofMemory.unknown("memory-missing");
  const { keyId, value } = tombstone.signature;
  const bytes = tombstoneBytes(tombstone);
  const named = [keys, dates?.keys].flatMap((each) => each?.find((key) => key.keyId === keyId) ?? []);
  const [key] = named;
  if (key === undefined || !isSignatureBy(value, bytes, key.publicKey)) return ofMemory.unknown("tombstone-not-signed");
  const ended = Math.min(...named.map(({ endedAtMs = Number.POSITIVE_INFINITY }) => endedAtMs));
  const enteredAtMs = dates?.forgotten.get(tombstoneDigest(tombstone));
  if (enteredAtMs === undefined && ended !== Number.POSITIVE_INFINITY) return ofMemory.unknown("tombstone-key-ended");
  if ((enteredAtMs ?? 0) > ended + CLOCK_TOLERANCE_MS) return ofMemory.fail("tombstone-after-key");
  const { forgottenAt } = tombstone;
  if (Date.parse(forgottenAt) + CLOCK_TOLERANCE_MS < Date.parse(createdAt)) {
    const compared = { expected: `after ${createdAt}`, actual: forgottenAt };
    return ofMemory.fail("memory-forgotten-before", { compared });
  }
  if (Date.parse(forgottenAt) > nowMs + CLOCK_TOLERANCE_MS) {
    const compared = { expected: `before ${new Date(nowMs).toISOString()}`, actual: forgottenAt };
    return ofMemory.unknown("tombstone-later", { compared });
  }
  const what = tombstone.cause === "reset" ? "the reset" : "which";
  const logged =
    enteredAtMs === undefined ? "" : `, ${what} is in the log since ${new Date(enteredAtMs).toISOString()}`;
  return ofMemory.unknown("memory-forgotten", { forgottenAt, logged });
}

const word = shape.string((value) => (value === "" ? "must not be empty" : undefined));
const tombstoneShape = shape.exactFields(
  {
    cause: shape.oneOf(...FORGET_CAUSES),
    forgottenAt: time,
    forgottenBy: word,
    memoryId: text(128),
    namespace: name,
    signature,
  },
  { reason: shape.string((value) => (value.length > LONGEST_REASON ? "is too long" : undefined)) },
);
