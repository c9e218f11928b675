// The used memories: is each blob the fact that the receipt shows a snippet of?

import { contentAddress, digestHex } from "#core/encoding/digest.ts";
import { readCanonical } from "#core/encoding/read-canonical-json.ts";
import type { GateKey } from "#core/ledger/gate-object.ts";
import type { Fact } from "#core/memory.ts";
import { type ForeignReceipt, snippetOf, type UsedMemory } from "#core/receipt/receipt.ts";
import { type Check, fail, pass, unknown, withoutReceipt } from "#core/verify/check.ts";
import type { FetchedBlob } from "#core/verify/observation.ts";
import { checkTombstone } from "./tombstone.ts";

type ShownMemory = ForeignReceipt["usedMemories"][number];
/** What only format 2 has: it binds the whole text. */
type BoundMemory = Partial<Pick<UsedMemory, "contentDigest" | "given">>;

/** More than the longest content and names need in UTF-8. */
const LARGEST_FACT = 40 * 1024;

/** The fact in a blob, or that there is no blob, or the check that did not pass, whatever the receipt shows. */
type MemoryReading = { readonly fact: Fact; readonly digest: string } | "missing" | { readonly check: Check };

interface Options {
  /** The store's ids follow from the bytes (`contentAddress`), so each id is checked too. */
  readonly isContentAddressed: boolean;
  /** The receipt has format 2. */
  readonly isSigned: boolean;
  /** The memories themselves were given to the caller, and so each as a whole. */
  readonly isRecalled: boolean;
  /** Of the gate. */
  readonly keys: readonly GateKey[] | undefined;
  /** What the service says of memories whose blobs are missing, by memory id. */
  readonly tombstones: ReadonlyMap<string, unknown>;
}

export function checkMemories(
  receipt: ForeignReceipt | undefined,
  memories: ReadonlyMap<string, FetchedBlob>,
  options: Options,
): Check[] {
  if (receipt === undefined) return [withoutReceipt("memory")];
  if (receipt.usedMemories.length === 0)
    return [pass("memory", "The receipt says that no memory was used, so there is none to check.")];
  // Reading a blob is expensive, and a receipt may name one many times.
  const readings = new Map<string, MemoryReading>();
  return receipt.usedMemories.map((shown, index) => {
    const { storeRef } = shown;
    const reading = readings.get(storeRef) ?? readMemory(storeRef, memories.get(storeRef), options);
    readings.set(storeRef, reading);
    if (reading !== "missing") return { ...checkMemory(shown, reading, options), index };
    const { memoryId } = shown as Partial<UsedMemory>;
    const { createdAt } = receipt;
    const context = { memoryId, namespace: shown.namespace, createdAt, keys: options.keys };
    return { ...checkTombstone(options.tombstones.get(memoryId ?? ""), context), index };
  });
}

function readMemory(storeRef: string, blob: FetchedBlob | undefined, { isContentAddressed }: Options): MemoryReading {
  if (blob === undefined || blob === "unreachable") {
    const sentence = "The blob store did not answer when asked for this memory’s blob.";
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
  const sentence = "The blob is not a memory, which has content, namespace and sourceAgent and nothing else.";
  return { check: fail("memory", "memory-malformed", sentence) };
}

function checkMemory(shown: ShownMemory, reading: Exclude<MemoryReading, "missing">, options: Options): Check {
  const { isContentAddressed, isSigned, isRecalled } = options;
  if ("check" in reading) return reading.check;
  const { namespace, content } = reading.fact;
  const compared = { expected: line(shown.namespace, shown.snippet), actual: line(namespace, snippetOf(content)) };
  if (compared.actual !== compared.expected) {
    const sentence = "The blob is a memory, but not the one that the receipt shows.";
    return fail("memory", "memory-differs", sentence, compared);
  }
  const { contentDigest = "", given = 0 }: BoundMemory = isSigned ? (shown as BoundMemory) : {};
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

const NOT_STORED = "The blob’s id does not follow from its bytes: they are not the ones that were stored under it.";
const WHOLE = "blake2b256 of its bytes is the digest in the receipt, so the whole text is the one that was used.";
const STORES_WORD = "That its id belongs to exactly these bytes, also beyond the snippet, is the store’s word.";

function isFact(value: unknown): value is Fact {
  if (typeof value !== "object" || value === null) return false;
  const members = Object.entries(value);
  return members.length === FACT_KEYS.size && members.every(([k, v]) => FACT_KEYS.has(k) && typeof v === "string");
}

const FACT_KEYS: ReadonlySet<string> = new Set<keyof Fact>(["content", "namespace", "sourceAgent"]);

// JSON keeps the two apart, whatever they contain.
const line = (namespace: string, snippet: string): string => JSON.stringify({ namespace, snippet });
