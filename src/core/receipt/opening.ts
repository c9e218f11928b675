// An opening as it is shared: the salts of a receipt's private fields, or the seed of them all, with the values that
// they open. What came beside an answer, `{v, seed}`, is one too: its holder can show that a question belongs to the
// receipt.
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { orUndefined } from "#core/defined.ts";
import { canonicalJson, readCanonical } from "#core/encoding/canonical-json.ts";
import { digestOfText } from "#core/encoding/digest.ts";
import * as shape from "#core/encoding/json-shape.ts";
import { commitmentTo, saltOf } from "./commitment.ts";
import type { AnswerReceipt, Signature, UsedMemory } from "./receipt.ts";
import { digest, MEMORY_REST, MOST_LISTED, MOST_MEMORIES, name, snippet } from "./receipt-rules.ts";
import { memoryCountOf } from "./receipt-shape.ts";
import type { SealedForm } from "./sealed-form.ts";
import * as paths from "./sealed-form.ts";

export type OpeningFault = { readonly code: "opening-malformed" | "opening-too-large"; readonly fault: string };

/** More than an answer with many long memories needs, and little enough for an address. */
export const LARGEST_OPENING = 512 * 1024;
const MOST_NAMES = 128;

const disclosedName = shape.exactFields({ name, salt: digest });
const openingShape = shape.exactFields(
  { v: shape.oneOf(2) },
  {
    /** Of all salts. */
    seed: digest,
    /** By path. In place of the seed, for exactly the fields that have a value here. */
    salts: shape.everyMember(digest),
    /** By path: what the private fields say. */
    values: shape.everyMember(shape.anything),
    /** The whole texts of used memories, as their blobs have them: a sealed anchor publishes none. */
    blobs: shape.listOf(shape.anyString, MOST_MEMORIES),
    /** The names behind pseudonyms on the ledger, with their salts. */
    names: shape.listOf(disclosedName, MOST_NAMES),
  },
);

export type OpeningDocument = shape.Shaped<typeof openingShape>;
export type DisclosedName = shape.Shaped<typeof disclosedName>;

const utf8 = new TextEncoder();

/** Reads the canonical JSON of an opening. So one opening has one text, and no member is there twice. */
export function readOpeningDocument(json: string): { readonly document: OpeningDocument } | OpeningFault {
  // A character has at least one byte, and a long text should not be encoded first.
  const bytes = json.length > LARGEST_OPENING ? undefined : utf8.encode(json);
  if (bytes === undefined || bytes.length > LARGEST_OPENING)
    return { code: "opening-too-large", fault: `it has more than ${LARGEST_OPENING / 1024} KiB` };
  const reading = readCanonical(bytes, LARGEST_OPENING);
  if ("fault" in reading) return malformed(`it ${reading.fault}`);
  const fault = openingShape(reading.value);
  if (fault !== undefined) return malformed(shape.faultText(fault));
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
    seed,
    salts,
    values,
    ...(blobs.length > 0 && { blobs }),
    ...(names.length > 0 && { names }),
  });
}

// Opens private fields of a sealed form: each value must be the one that its commitment is to.

export type OpeningFaultCode =
  | "opening-other-field"
  | "opening-differs"
  | "opening-value-malformed"
  | "opening-blob-differs";

/** What an opening disclosed. A field that it did not disclose is undefined. */
export interface DisclosedFields {
  readonly values: ReadonlyMap<string, unknown>;
  readonly salts: ReadonlyMap<string, Uint8Array>;
  /** The texts of used memories, by the digest of their blobs. */
  readonly blobs: ReadonlyMap<string, string>;
}

const rest = shape.exactFields(MEMORY_REST.required, MEMORY_REST.optional);
const blocked = shape.exactFields(
  { blockedNamespaces: shape.listOf(name, MOST_LISTED) },
  { blockedCount: shape.count, blockedDigest: digest },
);
const given = shape.listOf(shape.exactFields({ content: shape.anyString, memoryId: shape.anyString }), MOST_MEMORIES);

function ruleOf(path: string, { kind }: SealedForm): shape.Rule {
  switch (path) {
    case paths.AGENT:
      return name;
    case paths.BLOCKED:
      return blocked;
    case paths.QUESTION:
      return shape.anyString;
    case paths.FILTERS:
      return shape.everyMember(shape.anything);
    case paths.PROMPT:
      return shape.exactFields({ system: shape.anyString, user: shape.anyString });
    case paths.ANSWER:
      return kind === "recalled" ? given : shape.anyString;
    default:
      return path.endsWith("/rest") ? rest : snippet;
  }
}

export function openFields(
  form: SealedForm,
  document: OpeningDocument,
): DisclosedFields | { readonly code: OpeningFaultCode; readonly fault: string } {
  const values = new Map(Object.entries(document.values ?? {}));
  const salts = new Map<string, Uint8Array>();
  const strange = [...values.keys()].find((path) => !Object.hasOwn(form.commitments, path));
  if (strange !== undefined) return { code: "opening-other-field", fault: `the receipt has no field ${strange}` };
  for (const [path, value] of values) {
    const salt = saltIn(document, path);
    const commitment = salt && orUndefined(() => commitmentTo(salt, value));
    if (salt === undefined || commitment !== form.commitments[path])
      return { code: "opening-differs", fault: `the receipt does not commit to this value of ${path}` };
    const fault = ruleOf(path, form)(value);
    if (fault !== undefined) return { code: "opening-value-malformed", fault: `of ${path}, ${shape.faultText(fault)}` };
    salts.set(path, salt);
  }
  const used = new Set([...values].flatMap(([path, value]) => (path.endsWith("/rest") ? digestIn(value) : [])));
  const blobs = new Map((document.blobs ?? []).map((text) => [digestOfText(text), text]));
  if ([...blobs.keys()].some((one) => !used.has(one)))
    return { code: "opening-blob-differs", fault: "one of its texts is not that of a memory that it opens" };
  return { values, salts, blobs };
}

const digestIn = (value: unknown): string => (value as UsedMemory).contentDigest;

/** The used memories, in their order; undefined where the opening does not say all of one but its snippet. */
export function disclosedMemories(
  form: SealedForm,
  { values }: Pick<DisclosedFields, "values">,
): ((Omit<UsedMemory, "snippet"> & { readonly snippet?: string }) | undefined)[] {
  return Array.from({ length: memoryCountOf(form) }, (_, i) => {
    const [rest, snippet] = [values.get(paths.restPath(i)), values.get(paths.snippetPath(i))];
    if (rest === undefined) return undefined;
    return { ...(rest as UsedMemory), ...(snippet !== undefined && { snippet: snippet as string }) };
  });
}

/** The open form, if the opening opens every field that it shows. */
export function openForm(
  form: SealedForm,
  signature: Signature,
  disclosed: DisclosedFields,
): AnswerReceipt | undefined {
  const { values, salts } = disclosed;
  const memories = disclosedMemories(form, disclosed);
  const isWhole =
    memories.every((memory) => memory?.snippet !== undefined) && values.has(paths.AGENT) && values.has(paths.BLOCKED);
  if (!isWhole) return undefined;
  const { answerId, createdAt, commitments, ...head } = form;
  const isHidden = new Set(paths.hiddenPaths(form));
  const shown = [...salts]
    .filter(([path]) => !isHidden.has(path))
    .map(([path, salt]) => [path, bytesToHex(salt)] as const);
  const hidden = Object.entries(commitments).filter(([path]) => isHidden.has(path));
  return {
    agentId: values.get(paths.AGENT) as string,
    answerId,
    ...(values.get(paths.BLOCKED) as Pick<AnswerReceipt, "blockedNamespaces">),
    createdAt,
    evidence: { ...head, commitments: paths.byPath(hidden), salts: paths.byPath(shown) },
    signature,
    usedMemories: memories as UsedMemory[],
  };
}
