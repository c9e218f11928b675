// An opening as it is shared: the salts of a receipt's private fields, or the seed of them all, with the values that they
// open. The sealed form holds no values, so whoever opens a field to others gives both. What came beside an answer,
// `{v, seed}`, is one too: it opens nothing by itself, but lets its holder show that a question or an answer belongs to
// the receipt.
import { hexToBytes } from "@noble/hashes/utils.js";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { everyMember, exactFields, faultText, listOf, matching, oneOf, string } from "#core/encoding/json-shape.ts";
import { readCanonical } from "#core/encoding/read-canonical-json.ts";
import { orUndefined } from "#core/or-undefined.ts";
import { saltOf } from "./commitment.ts";
import { name } from "./field-rules.ts";

export interface OpeningDocument {
  readonly v: 2;
  /** Of all salts, hex. */
  readonly seed?: string;
  /** By path, hex. In place of the seed, for exactly the fields that have a value here. */
  readonly salts?: Readonly<Record<string, string>>;
  /** By path: what the private fields say. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** The whole texts of used memories, as their blobs have them: a sealed anchor publishes none. */
  readonly blobs?: readonly string[];
  /** The names behind pseudonyms on the ledger, with their salts. */
  readonly names?: readonly OpenedName[];
}

export interface OpenedName {
  readonly name: string;
  /** 32 bytes, hex. */
  readonly salt: string;
}

export type OpeningFault = { readonly code: "opening-malformed" | "opening-too-large"; readonly fault: string };

/** More than an answer with many long memories needs, and little enough for an address. */
export const LARGEST_OPENING = 512 * 1024;
const MOST_BLOBS = 256;
const MOST_NAMES = 128;

const hex32 = matching(/^[0-9a-f]{64}$/, "64 hex digits");
const anything = () => undefined;
const shape = exactFields(
  { v: oneOf(2) },
  {
    seed: hex32,
    salts: everyMember(hex32),
    values: everyMember(anything),
    blobs: listOf(
      string(() => undefined),
      MOST_BLOBS,
    ),
    names: listOf(exactFields({ name, salt: hex32 }), MOST_NAMES),
  },
);

const utf8 = new TextEncoder();

/** Reads the canonical JSON of an opening. So one opening has one text, and no member is there twice. */
export function readOpeningDocument(json: string): { readonly document: OpeningDocument } | OpeningFault {
  // A character has at least one byte, and a long text should not be encoded first.
  const bytes = json.length > LARGEST_OPENING ? undefined : utf8.encode(json);
  if (bytes === undefined || bytes.length > LARGEST_OPENING)
    return { code: "opening-too-large", fault: `it has more than ${LARGEST_OPENING / 1024} KiB` };
  const reading = readCanonical(bytes, LARGEST_OPENING);
  if ("fault" in reading) return malformed(`it ${reading.fault}`);
  const fault = shape(reading.value);
  if (fault !== undefined) return malformed(faultText(fault));
  const document = reading.value as OpeningDocument;
  const parts = partsFault(document);
  return parts === undefined ? { document } : malformed(parts);
}

/** An opening as people enter it: the seed alone, or JSON in any form. */
export function readOpening(text: string): OpeningDocument | undefined {
  const trimmed = text.trim();
  const value: unknown = trimmed.startsWith("{") ? orUndefined(() => JSON.parse(trimmed)) : { v: 2, seed: trimmed };
  const reading = readOpeningDocument(orUndefined(() => canonicalJson(value)) ?? "");
  return "document" in reading ? reading.document : undefined;
}

const malformed = (fault: string): OpeningFault => ({ code: "opening-malformed", fault });

function partsFault({ seed, salts, values = {}, blobs = [], names = [] }: OpeningDocument): string | undefined {
  if (seed !== undefined && salts !== undefined) return "it has both a seed and salts";
  const paths = Object.keys(values);
  if (seed === undefined) {
    const salted = new Set(Object.keys(salts ?? {}));
    const missing = paths.find((path) => !salted.has(path));
    if (missing !== undefined) return `it has no salt of ${missing}`;
    if (salted.size > paths.length) return "it has a salt without a value";
  }
  if (new Set(blobs).size < blobs.length) return "it has a blob twice";
  if (new Set(names.map((one) => one.name)).size < names.length) return "it has a name twice";
  return undefined;
}

/** The salt of a field, as far as the opening tells it. */
export function saltIn({ seed, salts = {} }: OpeningDocument, path: string): Uint8Array | undefined {
  if (seed !== undefined) return saltOf(hexToBytes(seed), path);
  const salt = Object.hasOwn(salts, path) ? salts[path] : undefined;
  return salt === undefined ? undefined : hexToBytes(salt);
}

/** Without members that are undefined or empty. */
export function openingText({ v, seed, salts, values, blobs = [], names = [] }: OpeningDocument): string {
  return canonicalJson({
    v,
    ...(seed !== undefined && { seed }),
    ...(salts !== undefined && { salts }),
    ...(values !== undefined && { values }),
    ...(blobs.length > 0 && { blobs }),
    ...(names.length > 0 && { names }),
  });
}
