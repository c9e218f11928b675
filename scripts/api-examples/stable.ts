// What two runs of the same requests have in common. Ids, times and keys are random, and so is what is derived from them.
// Digests of texts that the example names are the same in every run, and stay. Salts and commitments never are.
import { isObject } from "./elided-json.ts";

const RANDOM_IDS = ["blobId", "blob_id", "storeBlob", "requestId", "txDigest", "previousTransaction"];
const DERIVED_FROM_IDS = ["policyDigest", "digestHex", "digest", "content", "bcs"];
const RANDOM = [
  "seed",
  "keyId",
  "webhookId",
  "proposalId",
  "value",
  "publicKey",
  "public_key",
  "sender",
  "id",
  "nextCursor",
];
/** Of the transparency log: salted, and so are all hashes above. */
const SALTED = ["body", "salt", "chain", "vkey", "logKey", "hashes"];
/** Texts that may have several lines. */
const NAMES_OF_TEXTS = ["answer", "content"];
const TIMES = [
  ...["anchoredAtMs", "anchored_at_ms", "closedAtMs", "closed_at_ms"],
  ...["supersededAtMs", "superseded_at_ms", "timestampMs", "added_at_ms"],
  ...["medianMs", "p95Ms", "maxMs"],
];

export function stable(value: unknown, name = ""): unknown {
  if (TIMES.includes(name)) return "a time";
  if (typeof value === "string") {
    const isLines = value.includes("\n") && !NAMES_OF_TEXTS.includes(name);
    return isLines || SALTED.includes(name) ? stableLines(value) : stableText(value, name);
  }
  if (Array.isArray(value))
    return inStableOrder(
      value.map((element) => stable(element, name === "hashes" ? name : "")),
      name,
    );
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field, field.startsWith("/") ? "random" : stable(inner, field)]),
  );
}

/** The ledger sorts objects by their ids, which are random. */
function inStableOrder(elements: unknown[], name: string): unknown[] {
  if (name !== "changedObjects") return elements;
  return elements.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Lines or events: what is long and has no spaces is random. An import tells its progress as often as it likes. */
export function stableLines(text: string): string {
  return text
    .replace(/\{"done":\d+,"of":\d+\}\n/g, "")
    .replace(/("requestId":)"[\w-]+"/g, '$1"random"')
    .replace(/[\w+/=-]{20,}|\bkey_\w{11}/g, "random")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "a time");
}

function stableText(text: string, name: string): string {
  if (RANDOM_IDS.includes(name)) return "an id";
  if (/^[\w+/=-]{65,}$/.test(text)) return "random";
  if (RANDOM.includes(name) && /^[\w…-]{16,86}$/.test(text)) return "random";
  if (DERIVED_FROM_IDS.includes(name) && /^[\w+/=…-]{32,64}$/.test(text)) return "a digest";
  if ((name === "expected" || name === "actual") && /^([0-9a-f]{64}|[1-9A-HJ-NP-Za-km-z]{32,44})$/.test(text))
    return "a digest";
  return text
    .replace(/\b(mem|ans)_\w{26}/g, "$1_")
    .replace(/\bkey_\w{11}/g, "key_")
    .replace(/0x[0-9a-f]{64}/g, "0x")
    .replace(/\bportcullis\.invalid\/[0-9a-f]{16}/g, "a log")
    .replace(/\b[0-9a-f]{32}\b/g, "a key")
    .replace(/\/tx\/\w{32,44}/g, "/tx/")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, "a time");
}
