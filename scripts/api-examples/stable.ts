// What two runs of the same requests have in common. Ids, times and keys are random, and so is what is derived from them.
// Digests of texts that the example names are the same in every run, and stay. Salts and commitments never are.
import { isObject } from "./elided-json.ts";

const RANDOM_IDS = ["blobId", "blob_id", "storeBlob", "requestId", "txDigest", "previousTransaction"];
const DERIVED_FROM_IDS = ["policyDigest", "digestHex", "digest", "content", "bcs"];
const RANDOM = ["seed", "keyId", "value"];
const TIMES = [
  ...["anchoredAtMs", "anchored_at_ms", "closedAtMs", "closed_at_ms"],
  ...["supersededAtMs", "superseded_at_ms"],
];

export function stable(value: unknown, name = ""): unknown {
  if (TIMES.includes(name)) return "a time";
  if (typeof value === "string") return stableText(value, name);
  if (Array.isArray(value)) return value.map((element) => stable(element));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field, field.startsWith("/") ? "random" : stable(inner, field)]),
  );
}

function stableText(text: string, name: string): string {
  if (RANDOM_IDS.includes(name)) return "an id";
  if (RANDOM.includes(name) && /^[\w…-]{16,86}$/.test(text)) return "random";
  if (DERIVED_FROM_IDS.includes(name) && /^[\w+/=…-]{32,64}$/.test(text)) return "a digest";
  if ((name === "expected" || name === "actual") && /^([0-9a-f]{64}|[1-9A-HJ-NP-Za-km-z]{32,44})$/.test(text))
    return "a digest";
  return text
    .replace(/\b(mem|ans)_\w{26}/g, "$1_")
    .replace(/0x[0-9a-f]{64}/g, "0x")
    .replace(/\/tx\/\w{32,44}/g, "/tx/")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, "a time");
}
