// Opens private fields of a sealed form: each value must be the one that its commitment is to. What the fields say is
// then what the service signed.
import { bytesToHex } from "@noble/hashes/utils.js";
import { digestOfText } from "#core/encoding/digest.ts";
import { count, exactFields, faultText, listOf, type Rule, string } from "#core/encoding/json-shape.ts";
import { orUndefined } from "#core/or-undefined.ts";
import { MOST_LISTED } from "#core/receipt/blocked-list.ts";
import type { AnswerReceipt, Signature, UsedMemory } from "#core/receipt/receipt.ts";
import { commitmentTo } from "./commitment.ts";
import { digest, MEMORY_REST, MOST_MEMORIES, name, snippet } from "./field-rules.ts";
import { type OpeningDocument, saltIn } from "./opening-document.ts";
import { AGENT, ANSWER, BLOCKED, PROMPT, QUESTION, restPath, snippetPath } from "./private-fields.ts";
import { byPath, type SealedForm } from "./sealed-form.ts";
import { memoryCountOf } from "./sealed-receipt.ts";

export type UnopenedCode =
  | "opening-other-field"
  | "opening-differs"
  | "opening-value-malformed"
  | "opening-blob-differs";

/** What an opening opened. A field that it did not open is undefined. */
export interface OpenedFields {
  /** By path. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly salts: ReadonlyMap<string, Uint8Array>;
  /** The texts of used memories, by the digest of their blobs. */
  readonly blobs: ReadonlyMap<string, string>;
}

const words = string(() => undefined);
const rest = exactFields(MEMORY_REST.required, MEMORY_REST.optional);
const blocked = exactFields(
  { blockedNamespaces: listOf(name, MOST_LISTED) },
  { blockedCount: count, blockedDigest: digest },
);
const given = listOf(exactFields({ content: words, memoryId: words }), MOST_MEMORIES);

function ruleOf(path: string, { kind }: SealedForm): Rule {
  switch (path) {
    case AGENT:
      return name;
    case BLOCKED:
      return blocked;
    case QUESTION:
      return words;
    case PROMPT:
      return exactFields({ system: words, user: words });
    case ANSWER:
      return kind === "recalled" ? given : words;
    default:
      return path.endsWith("/rest") ? rest : snippet;
  }
}

export function openFields(
  form: SealedForm,
  document: OpeningDocument,
): OpenedFields | { readonly code: UnopenedCode; readonly fault: string } {
  const values = new Map(Object.entries(document.values ?? {}));
  const salts = new Map<string, Uint8Array>();
  for (const [path, value] of values) {
    if (!Object.hasOwn(form.commitments, path))
      return { code: "opening-other-field", fault: `the receipt has no field ${path}` };
    const salt = saltIn(document, path);
    const commitment = salt && orUndefined(() => commitmentTo(salt, value));
    if (salt === undefined || commitment !== form.commitments[path])
      return { code: "opening-differs", fault: `the receipt does not commit to this value of ${path}` };
    const fault = ruleOf(path, form)(value);
    if (fault !== undefined) return { code: "opening-value-malformed", fault: `of ${path}, ${faultText(fault)}` };
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
export function openedMemories(
  form: SealedForm,
  { values }: Pick<OpenedFields, "values">,
): ((Omit<UsedMemory, "snippet"> & { readonly snippet?: string }) | undefined)[] {
  return Array.from({ length: memoryCountOf(form) }, (_, i) => {
    const [rest, snippet] = [values.get(restPath(i)), values.get(snippetPath(i))];
    if (rest === undefined) return undefined;
    return { ...(rest as UsedMemory), ...(snippet !== undefined && { snippet: snippet as string }) };
  });
}

/** The open form, if the opening opens every field that it shows. */
export function openForm(form: SealedForm, signature: Signature, opened: OpenedFields): AnswerReceipt | undefined {
  const { values, salts } = opened;
  const memories = openedMemories(form, opened);
  const isWhole = memories.every((memory) => memory?.snippet !== undefined) && values.has(AGENT) && values.has(BLOCKED);
  if (!isWhole) return undefined;
  const { answerId, createdAt, commitments, ...head } = form;
  const isHidden = (path: string) => path === QUESTION || path === PROMPT || path === ANSWER;
  const shown = [...salts].filter(([path]) => !isHidden(path)).map(([path, salt]) => [path, bytesToHex(salt)] as const);
  const hidden = Object.entries(commitments).filter(([path]) => isHidden(path));
  return {
    agentId: values.get(AGENT) as string,
    answerId,
    ...(values.get(BLOCKED) as Pick<AnswerReceipt, "blockedNamespaces">),
    createdAt,
    evidence: { ...head, commitments: byPath(hidden), salts: byPath(shown) },
    signature,
    usedMemories: memories as UsedMemory[],
  };
}
