// Validates a receipt of format 2, strictly: a field that is not known is not covered by the signature, so there must be
// none, and every private field has exactly one salt, or one commitment if the form does not show it.
import { count, everyMember, exactFields, faultText, listOf, matching } from "#core/encoding/json-shape.ts";
import { MOST_LISTED } from "#core/receipt/blocked-list.ts";
import type { AnswerReceipt, ForeignReceipt, ViewedReceipt } from "#core/receipt/receipt.ts";
import { digest, HEAD, headFault, MEMORY_REST, MOST_MEMORIES, name, snippet, text, time } from "./field-rules.ts";
import { ANSWER, PROMPT, QUESTION, shownFields, snippetPath } from "./private-fields.ts";

const memory = exactFields({ ...MEMORY_REST.required, snippet }, MEMORY_REST.optional);

const evidence = exactFields(
  { ...HEAD.required, commitments: everyMember(digest), salts: everyMember(digest) },
  HEAD.optional,
);

export const signature = exactFields({
  keyId: matching(/^[0-9a-f]{32}$/, "32 hex digits"),
  // 64 bytes: the last of the 86 characters has four bits that are 0.
  value: matching(/^[A-Za-z0-9_-]{85}[AQgw]$/, "64 bytes in base64url"),
});

const receipt = exactFields(
  {
    agentId: name,
    answerId: text(128),
    blockedNamespaces: listOf(name, MOST_LISTED),
    createdAt: time,
    evidence,
    signature,
    usedMemories: listOf(memory, MOST_MEMORIES),
  },
  { blockedCount: count, blockedDigest: digest },
);

/** Why it is not a receipt of format 2, for people; undefined if it is one. */
export function signedReceiptFault(value: ForeignReceipt): string | undefined {
  const fault = receipt(value);
  return fault === undefined ? partsFault(value as AnswerReceipt) : faultText(fault);
}

/** The same for a receipt on record, which has commitments in place of all snippets (recorded-form.ts). */
export function recordedReceiptFault(value: ViewedReceipt): string | undefined {
  const { evidence, usedMemories } = value;
  if (!("salts" in evidence)) return "it has no salts";
  if (usedMemories.some(({ snippet }) => snippet !== undefined)) return "it holds text of a memory";
  const paths = usedMemories.map((_, i) => snippetPath(i));
  const [withheld, hidden] = [new Map<string, string>(), new Map<string, string>()];
  for (const [path, commitment] of Object.entries(evidence.commitments))
    (paths.includes(path) ? withheld : hidden).set(path, commitment);
  // Checked as if each commitment to a snippet were its salt: both have the same form.
  const salts = { ...evidence.salts, ...Object.fromEntries(withheld) };
  return signedReceiptFault({
    ...value,
    evidence: { ...evidence, salts, commitments: Object.fromEntries(hidden) },
    usedMemories: usedMemories.map((memory) => ({ ...memory, snippet: "" })),
  } as AnswerReceipt);
}

function partsFault(receipt: AnswerReceipt): string | undefined {
  const { blockedCount, blockedDigest, blockedNamespaces, evidence, usedMemories } = receipt;
  const { kind, model, commitments, salts } = evidence;
  if ((blockedCount === undefined) !== (blockedDigest === undefined))
    return "blockedCount and blockedDigest must come together";
  if (blockedCount !== undefined && (blockedNamespaces.length !== MOST_LISTED || blockedCount <= MOST_LISTED))
    return `its blockedCount must exceed ${MOST_LISTED}, and so many must be listed`;
  const fault = headFault(evidence, usedMemories.length);
  if (fault !== undefined) return fault;
  if (kind === "recalled" && usedMemories.some(({ cited }) => cited !== undefined))
    return "memories that were recalled are not cited by any answer";
  const shown = shownFields(receipt).map(([path]) => path);
  const hidden = model === null ? [QUESTION, ANSWER] : [QUESTION, ANSWER, PROMPT];
  return (
    pathsFault("salt", new Set(shown), Object.keys(salts)) ??
    pathsFault("commitment", new Set(hidden), Object.keys(commitments))
  );
}

export function pathsFault(what: string, needed: ReadonlySet<string>, given: readonly string[]): string | undefined {
  const unknown = given.find((path) => !needed.has(path));
  if (unknown !== undefined) return `it has a ${what} of ${unknown}, which needs none`;
  const present = new Set(given);
  const missing = [...needed].find((path) => !present.has(path));
  return missing === undefined ? undefined : `it has no ${what} of ${missing}`;
}
