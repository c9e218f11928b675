// The used memories: is each blob the fact that the receipt shows a snippet of?

import { contentAddress } from "#core/encoding/digest.ts";
import { readCanonical } from "#core/encoding/read-canonical-json.ts";
import type { Fact } from "#core/memory.ts";
import { type ForeignReceipt, snippetOf } from "#core/receipt/receipt.ts";
import { type Check, type Compared, check, NEEDS_RECEIPT } from "./check.ts";
import type { FetchedBlob } from "./observation.ts";

type ShownMemory = ForeignReceipt["usedMemories"][number];

/** More than the longest content and names need in UTF-8. */
const LARGEST_FACT = 40 * 1024;

/** The fact in a blob, or the failed check, whatever the receipt shows. */
type MemoryReading = { readonly fact: Fact } | { readonly check: Check };

/** `isContentAddressed`: the store's ids follow from the bytes (content-address.ts), so each id is checked too. */
export function checkMemories(
  receipt: ForeignReceipt | undefined,
  memories: ReadonlyMap<string, FetchedBlob>,
  isContentAddressed: boolean,
): Check[] {
  if (receipt === undefined) return [check("memory", "unknown", NEEDS_RECEIPT)];
  if (receipt.usedMemories.length === 0)
    return [check("memory", "pass", "The receipt says that no memory was used, so there is none to check.")];
  // Reading a blob is expensive, and a receipt may name one many times.
  const readings = new Map<string, MemoryReading>();
  return receipt.usedMemories.map((shown, index) => {
    const { storeRef } = shown;
    const reading = readings.get(storeRef) ?? readMemory(storeRef, memories.get(storeRef), isContentAddressed);
    readings.set(storeRef, reading);
    return { ...checkMemory(shown, reading, isContentAddressed), index };
  });
}

function readMemory(storeRef: string, blob: FetchedBlob | undefined, isContentAddressed: boolean): MemoryReading {
  if (blob === undefined || blob === "unreachable")
    return { check: check("memory", "unknown", "The blob store did not answer when asked for this memory’s blob.") };
  if (blob === "missing")
    return { check: fail("The blob store has no blob with the id that the receipt gives for this memory.") };
  if (isContentAddressed && blob.byteLength <= LARGEST_FACT) {
    const compared = { expected: storeRef, actual: contentAddress(blob) };
    if (compared.actual !== compared.expected) return { check: fail(NOT_STORED, compared) };
  }
  const reading = readCanonical(blob, LARGEST_FACT);
  if ("fault" in reading) return { check: fail(`The blob ${reading.fault}, so it is not a memory.`, reading.compared) };
  if (isFact(reading.value)) return { fact: reading.value };
  return { check: fail("The blob is not a memory, which has content, namespace and sourceAgent and nothing else.") };
}

function checkMemory(shown: ShownMemory, reading: MemoryReading, isContentAddressed: boolean): Check {
  if ("check" in reading) return reading.check;
  const { namespace, content } = reading.fact;
  const compared = { expected: line(shown.namespace, shown.snippet), actual: line(namespace, snippetOf(content)) };
  if (compared.actual !== compared.expected)
    return fail("The blob is a memory, but not the one that the receipt shows.", compared);
  const binding = isContentAddressed ? "Its id follows from its bytes." : STORES_WORD;
  const warning = shown.authorized ? "" : " The receipt itself says that the agent was not authorized to use it.";
  return pass(`The blob is the memory whose namespace and snippet the receipt shows. ${binding}${warning}`, compared);
}

const NOT_STORED = "The blob’s id does not follow from its bytes: they are not the ones that were stored under it.";
const STORES_WORD = "That its id belongs to exactly these bytes, also beyond the snippet, is the store’s word.";

function isFact(value: unknown): value is Fact {
  if (typeof value !== "object" || value === null) return false;
  const members = Object.entries(value);
  return members.length === FACT_KEYS.size && members.every(([k, v]) => FACT_KEYS.has(k) && typeof v === "string");
}

const FACT_KEYS: ReadonlySet<string> = new Set<keyof Fact>(["content", "namespace", "sourceAgent"]);

// JSON keeps the two apart, whatever they contain.
const line = (namespace: string, snippet: string): string => JSON.stringify({ namespace, snippet });

const pass = (sentence: string, compared: Compared) => check("memory", "pass", sentence, compared);
const fail = (sentence: string, compared?: Compared) => check("memory", "fail", sentence, compared);
