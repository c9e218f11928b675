// Is the blob of a used memory the fact that the receipt shows a snippet of?

import { blake2b256 } from "#core/encoding/digest.ts";
import { readCanonical } from "#core/encoding/read-canonical-json.ts";
import type { Fact } from "#core/memory.ts";
import { type ForeignReceipt, snippetOf } from "#core/receipt/receipt.ts";
import { type Check, type Compared, check } from "./check.ts";

/** What a store had: the raw bytes; nothing; or no answer. */
export type Fetched = Uint8Array | "missing" | "unreachable";

type Shown = ForeignReceipt["usedMemories"][number];

/** What the longest content and names can need in UTF-8, and some. */
const LARGEST_FACT = 40 * 1024;

/** The fact that a blob holds, or what is wrong with it, whatever the receipt shows. */
type MemoryReading = { readonly fact: Fact } | { readonly check: Check };

/** `isContentAddressed`: the store's ids are base64url of blake2b256 of the bytes, so an id can be derived again. */
export function readMemory(storeRef: string, fetched: Fetched | undefined, isContentAddressed: boolean): MemoryReading {
  if (fetched === undefined || fetched === "unreachable") {
    return { check: unknown("The blob store did not answer when asked for this memory’s blob.") };
  }
  if (fetched === "missing") {
    return { check: fail("The blob store has no blob with the id that the receipt gives for this memory.") };
  }
  if (isContentAddressed && fetched.byteLength <= LARGEST_FACT) {
    const compared = { expected: storeRef, actual: contentAddress(fetched) };
    if (compared.actual !== compared.expected) return { check: fail(NOT_STORED, compared) };
  }
  const reading = readCanonical(fetched, LARGEST_FACT);
  if ("fault" in reading) {
    return { check: fail(`The blob ${reading.fault}, so it is not a memory.`, reading.compared) };
  }
  if (isFact(reading.value)) return { fact: reading.value };
  return { check: fail("The blob is not a memory, which is content, namespace and sourceAgent and nothing else.") };
}

export function checkMemory(shown: Shown, reading: MemoryReading, isContentAddressed: boolean): Check {
  if ("check" in reading) return reading.check;
  const { namespace, content } = reading.fact;
  const compared = { expected: line(shown.namespace, shown.snippet), actual: line(namespace, snippetOf(content)) };
  if (compared.actual !== compared.expected) {
    return fail("The blob is a memory, but not the one that the receipt shows.", compared);
  }
  const bound = isContentAddressed ? "Its id follows from its bytes." : STORES_WORD;
  const said = shown.authorized ? "" : " The receipt itself says that the agent was not authorized to use it.";
  return pass(`The blob is the memory whose namespace and snippet the receipt shows. ${bound}${said}`, compared);
}

const NOT_STORED = "The blob’s id does not follow from its bytes: they are not the ones that were stored under it.";
const STORES_WORD = "That its id belongs to these very bytes, also beyond the snippet, is the store’s word.";

function isFact(value: unknown): value is Fact {
  if (typeof value !== "object" || value === null) return false;
  const members = Object.entries(value);
  return members.length === FACT_KEYS.size && members.every(([k, v]) => FACT_KEYS.has(k) && typeof v === "string");
}

const FACT_KEYS: ReadonlySet<string> = new Set<keyof Fact>(["content", "namespace", "sourceAgent"]);

// JSON keeps the two apart whatever is in them.
const line = (namespace: string, snippet: string): string => JSON.stringify({ namespace, snippet });

export function contentAddress(bytes: Uint8Array): string {
  return base64url(blake2b256(bytes));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

const pass = (sentence: string, compared: Compared) => check("memory", "pass", sentence, compared);
const fail = (sentence: string, compared?: Compared) => check("memory", "fail", sentence, compared);
const unknown = (sentence: string) => check("memory", "unknown", sentence);
