// The shapes of receipts: the receipt of the specification, whoever wrote it; the signed receipt of this service; and its
// sealed form. The contract has the first of these in zod, with the limits that stand here; a test holds both to the
// same result.
import * as shape from "#core/encoding/json-shape.ts";
import type { AnswerReceipt, Evidence, ForeignReceipt, Signature, ViewedReceipt } from "./receipt.ts";
import * as rules from "./receipt-rules.ts";
import * as forms from "./sealed-form.ts";

/** A receipt that anybody may have written: the fields of the specification. Unknown fields may hold anything. */
const foreignReceipt = shape.fields({
  answerId: rules.text(rules.LONGEST_ID),
  agentId: rules.name,
  usedMemories: shape.listOf(
    shape.fields({
      namespace: rules.name,
      snippet: rules.snippet,
      storeRef: rules.text(rules.LONGEST_STORE_REF),
      authorized: shape.flag,
      verified: shape.flag,
    }),
    rules.MOST_MEMORIES,
  ),
  blockedNamespaces: shape.listOf(rules.name, rules.MOST_LISTED),
  createdAt: shape.string((value) => (isTime(value) ? undefined : "must be a time in ISO 8601")),
});

/** A local time may omit the seconds; a time with an offset may not (RFC 3339). */
const TIME =
  /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

function isTime(value: string): boolean {
  const [, year, month, day] = TIME.exec(value) ?? [];
  if (year === undefined) return false;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  // JavaScript reads 30 February as a day in March.
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day);
}

/** Why the value is not a receipt, for people; undefined if it is one. */
export function receiptFault(value: unknown): string | undefined {
  const fault = foreignReceipt(value);
  return fault && shape.faultText(fault);
}

export const isReceipt = (value: unknown): value is ForeignReceipt => foreignReceipt(value) === undefined;

/** Why kind, model and template do not go together, or not with so many memories. */
function headFault({ kind, model, template }: Pick<Evidence, "kind" | "model" | "template">, memories: number) {
  if ((model === null) !== (template === null)) return "model and template must be null together";
  if (kind === "recalled" && model !== null) return "memories that were recalled need no model";
  if (kind === "answered" && model === null && memories > 0) return "an answer without a model uses no memories";
  return undefined;
}

// A signed receipt is checked strictly: an unknown field is not covered by the signature, so there must be none, and every
// private field has exactly one salt, or one commitment if the form does not show it.

export function signedReceiptFault(value: ForeignReceipt): string | undefined {
  const fault = rules.signedReceipt(value);
  return fault === undefined ? partsFault(value as AnswerReceipt) : shape.faultText(fault);
}

/** The same for a receipt on record, which has commitments in place of all snippets (`recordedForm`). */
export function recordedReceiptFault(value: ViewedReceipt): string | undefined {
  const fault = rules.recordedParts(value);
  if (fault !== undefined) return shape.faultText(fault);
  const { evidence, usedMemories } = value as AnswerReceipt;
  if (usedMemories.some(({ snippet }) => snippet !== undefined)) return "it holds text of a memory";
  const paths = usedMemories.map((_, i) => forms.snippetPath(i));
  const [withheld, hidden] = [new Map<string, string>(), new Map<string, string>()];
  for (const [path, commitment] of Object.entries(evidence.commitments))
    (paths.includes(path) ? withheld : hidden).set(path, commitment);
  if (paths.some((path) => Object.hasOwn(evidence.salts, path))) return "it has a salt of a text that it withholds";
  // Checked as if each commitment to a snippet were its salt: both have the same form.
  const salts = { ...evidence.salts, ...Object.fromEntries(withheld) };
  return signedReceiptFault({
    ...value,
    evidence: { ...evidence, salts, commitments: Object.fromEntries(hidden) },
    usedMemories: usedMemories.map((memory) => ({ ...memory, snippet: "" })),
  } as AnswerReceipt);
}

/** The same for one that is on record without its end. */
export function begunReceiptFault(value: unknown): string | undefined {
  const fault = rules.begunReceipt(value);
  return fault && shape.faultText(fault);
}

function partsFault(receipt: AnswerReceipt): string | undefined {
  const { blockedCount, blockedDigest, blockedNamespaces, evidence, usedMemories } = receipt;
  const { kind, commitments, salts } = evidence;
  if ((blockedCount === undefined) !== (blockedDigest === undefined))
    return "blockedCount and blockedDigest must come together";
  if (
    blockedCount !== undefined &&
    (blockedNamespaces.length !== rules.MOST_LISTED || blockedCount <= rules.MOST_LISTED)
  )
    return `its blockedCount must exceed ${rules.MOST_LISTED}, and so many must be listed`;
  const fault = headFault(evidence, usedMemories.length);
  if (fault !== undefined) return fault;
  if (kind === "recalled" && usedMemories.some(({ cited }) => cited !== undefined))
    return "memories that were recalled are not cited by any answer";
  const shown = forms.shownFields(receipt).map(([path]) => path);
  return (
    pathsFault("salt", new Set(shown), Object.keys(salts)) ??
    pathsFault("commitment", new Set(forms.hiddenPaths(evidence)), Object.keys(commitments))
  );
}

function pathsFault(what: string, needed: ReadonlySet<string>, given: readonly string[]): string | undefined {
  const unknown = given.find((path) => !needed.has(path));
  if (unknown !== undefined) return `it has a ${what} of ${unknown}, which needs none`;
  const present = new Set(given);
  const missing = [...needed].find((path) => !present.has(path));
  return missing === undefined ? undefined : `it has no ${what} of ${missing}`;
}

// A sealed receipt: the sealed form with its signature, as it is anchored.

export interface SealedReceipt extends forms.SealedForm {
  readonly signature: Signature;
}

/** Its canonical JSON is the blob of a sealed anchor. */
export function sealedReceiptOf(receipt: AnswerReceipt): SealedReceipt {
  return { ...forms.sealedFormOf(receipt), signature: receipt.signature };
}

const sealedReceipt = shape.exactFields(
  {
    ...rules.HEAD.required,
    answerId: rules.text(rules.LONGEST_ID),
    commitments: shape.everyMember(rules.digest),
    createdAt: rules.time,
    signature: rules.signature,
  },
  rules.HEAD.optional,
);

/** Whether the value means to be a sealed receipt, and not an open one: it has commitments, and no private field. */
export const looksSealed = (value: unknown): value is object =>
  typeof value === "object" && value !== null && "commitments" in value && !("usedMemories" in value);

export function sealedReceiptFault(value: unknown): string | undefined {
  const fault = sealedReceipt(value);
  if (fault !== undefined) return shape.faultText(fault);
  const sealed = value as SealedReceipt;
  const paths = Object.keys(sealed.commitments);
  const memories = memoriesIn(paths);
  if (memories > rules.MOST_MEMORIES) return `it has more than ${rules.MOST_MEMORIES} memories`;
  return headFault(sealed, memories) ?? pathsFault("commitment", new Set(privatePaths(sealed, memories)), paths);
}

/** The paths of all private fields: those of the open form first, in its order. */
export const privatePathsOf = (sealed: forms.SealedForm): string[] => privatePaths(sealed, memoryCountOf(sealed));

export const memoryCountOf = ({ commitments }: Pick<forms.SealedForm, "commitments">): number =>
  memoriesIn(Object.keys(commitments));

const memoriesIn = (paths: readonly string[]): number => paths.filter((path) => path.endsWith("/rest")).length;

function privatePaths(sealed: forms.SealedForm, memories: number): string[] {
  const ofMemories = Array.from({ length: memories }, (_, i) => [forms.restPath(i), forms.snippetPath(i)]).flat();
  return [forms.AGENT, forms.BLOCKED, ...ofMemories, ...forms.hiddenPaths(sealed)];
}
