// The sealed form: every private field is a commitment. It is what is signed, so that fields can be withheld later.
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { defined } from "#core/defined.ts";
import { statementBytes } from "#core/encoding/canonical-json.ts";
import { commitmentTo, commitToAll, saltOf } from "./commitment.ts";
import type { AnswerReceipt, Evidence, RecordedReceipt, ViewedMemory, ViewedReceipt } from "./receipt.ts";
import { snippetOf } from "./receipt.ts";

export type Commitments = Readonly<Record<string, string>>;

export interface SealedForm
  extends Pick<AnswerReceipt, "answerId" | "createdAt">,
    Pick<Evidence, "v" | "kind" | "model" | "template" | "policyVersion" | "policyDigest" | "ledgerVersion" | "log"> {
  /** To every private field. */
  readonly commitments: Commitments;
}

export type Sealable = Pick<AnswerReceipt, "answerId" | "createdAt"> & Shown & { readonly evidence: Evidence };

/** The sealed form that an open form stands for. A field that it shows must have a salt, or the commitment is missing. */
export function sealedFormOf(receipt: Sealable): SealedForm {
  const { commitments, salts } = receipt.evidence;
  const shown = shownFields(receipt).flatMap(([path, value]): [string, string][] => {
    const salt = salts[path];
    return salt === undefined ? [] : [[path, commitmentTo(hexToBytes(salt), value)]];
  });
  return sealedForm(receipt, [...Object.entries(commitments), ...shown]);
}

/** Its keys are in the order of canonical JSON, which is then the fastest to write. */
function sealedForm(
  { answerId, createdAt, evidence }: Pick<Sealable, "answerId" | "createdAt"> & { readonly evidence: Head },
  commitments: readonly (readonly [path: string, commitment: string])[],
): SealedForm {
  const { template, v } = evidence;
  return { answerId, commitments: byPath(commitments), createdAt, ...headOf(evidence), template, v };
}

function headOf({ kind, ledgerVersion, log, model, policyDigest, policyVersion }: Head) {
  return { kind, ...defined({ ledgerVersion, log }), model, policyDigest, policyVersion };
}

type Head = Omit<Evidence, "commitments" | "salts">;

/** An object whose keys are in order. */
export const byPath = <T>(entries: readonly (readonly [path: string, value: T])[]): Readonly<Record<string, T>> =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));

export const signedBytes = (sealed: SealedForm): Uint8Array => statementBytes("receipt/v2", sealed);

/** The same receipt without the snippets of some memories. Their commitments take the place of the salts. */
export function withoutSnippets<R extends ViewedReceipt>(
  receipt: R,
  isWithheld: (memory: ViewedMemory) => boolean,
): ViewedReceipt {
  const usedMemories = receipt.usedMemories.map((memory) => {
    const { snippet, ...rest } = memory;
    return isWithheld(memory) ? rest : memory;
  });
  const { evidence } = receipt;
  if (!("salts" in evidence)) return { ...receipt, usedMemories };
  const salts = new Map(Object.entries(evidence.salts));
  const commitments = Object.entries(evidence.commitments);
  for (const [i, memory] of receipt.usedMemories.entries()) {
    const path = snippetPath(i);
    const salt = salts.get(path);
    if (salt === undefined || !isWithheld(memory)) continue;
    salts.delete(path);
    commitments.push([path, commitmentTo(hexToBytes(salt), memory.snippet)]);
  }
  return {
    ...receipt,
    usedMemories,
    evidence: { ...evidence, commitments: byPath(commitments), salts: byPath([...salts]) },
  };
}

// The private fields of a receipt: each has a path, a salt and a commitment of its own. The open form shows some of them.
// Question, filters, prompt and answer are in no form: whoever holds them can show that they belong to the receipt.

export const AGENT = "/agentId";
export const BLOCKED = "/blockedNamespaces";
export const QUESTION = "/question";
/** What narrowed the recall. Only where something did. */
export const FILTERS = "/filters";
export const PROMPT = "/prompt";
export const ANSWER = "/answer";
const SNIPPET = "/snippet";
export const snippetPath = (index: number): string => memoryPaths[index]?.snippet ?? `/usedMemories/${index}${SNIPPET}`;
/** All of a used memory but its snippet. */
export const restPath = (index: number): string => memoryPaths[index]?.rest ?? `/usedMemories/${index}/rest`;

/** Of the first memories. A string that is made once is hashed once, when it becomes the key of an object. */
const memoryPaths = Array.from({ length: 64 }, (_, index) => ({
  snippet: `/usedMemories/${index}${SNIPPET}`,
  rest: `/usedMemories/${index}/rest`,
}));

/** What of a receipt its private fields are made of. A memory without a snippet is one whose snippet was withheld. */
export interface Shown extends Pick<AnswerReceipt, "agentId" | "blockedNamespaces" | "blockedCount" | "blockedDigest"> {
  readonly usedMemories: readonly object[];
}

const withoutSnippet = ({ snippet: _, ...rest }: { readonly snippet?: unknown }): object => rest;

/** The fields that a receipt shows, and their values. */
export const shownFields = (receipt: Shown): [path: string, value: unknown][] =>
  fieldsOf(receipt, receipt.usedMemories.map(withoutSnippet));

/** `rests` are the used memories without their snippets. */
function fieldsOf(receipt: Shown, rests: readonly object[]): [path: string, value: unknown][] {
  const { agentId, blockedNamespaces, blockedCount, blockedDigest, usedMemories } = receipt;
  // Keys in the order of canonical JSON, which is then the fastest to write. So is the evidence below.
  const blocked =
    blockedCount === undefined ? { blockedNamespaces } : { blockedCount, blockedDigest, blockedNamespaces };
  const memories = usedMemories.flatMap((memory, i): [string, unknown][] => {
    const { snippet } = memory as { readonly snippet?: unknown };
    const own: [string, unknown] = [restPath(i), rests[i]];
    return snippet === undefined ? [own] : [own, [snippetPath(i), snippet]];
  });
  return [[AGENT, agentId], [BLOCKED, blocked], ...memories];
}

// Makes the two forms of a receipt from its parts and its seed: the open one, and the sealed one that is signed.

/** Of the fields that no form shows, those that this receipt has. */
export const hiddenPaths = ({ model, commitments }: Pick<SealedForm, "model" | "commitments">): string[] => [
  QUESTION,
  ...(Object.hasOwn(commitments, FILTERS) ? [FILTERS] : []),
  ...(model === null ? [] : [PROMPT]),
  ANSWER,
];

/** Commitments to fields that no form shows. */
export const commitToHidden = (seed: Uint8Array, fields: readonly (readonly [path: string, value: unknown])[]) =>
  byPath(commitToAll(seed, fields).map(({ path, commitment }) => [path, commitment]));

export interface UnsignedReceipt extends Omit<AnswerReceipt, "evidence" | "signature"> {
  readonly evidence: Omit<Evidence, "salts">;
}

/** `receipt.evidence.commitments` are those to the hidden fields. */
export function seal(seed: Uint8Array, receipt: UnsignedReceipt) {
  const { evidence, usedMemories, ...head } = receipt;
  const rests = usedMemories.map(withoutSnippet);
  // Sorted once for all forms.
  const shown = commitToAll(seed, fieldsOf(receipt, rests)).sort((a, b) => (a.path < b.path ? -1 : 1));
  const saltsOf = (fields: typeof shown) => byPath(fields.map(({ path, salt }) => [path, salt]));
  const commitmentsOf = (fields: typeof shown) => fields.map(({ path, commitment }) => [path, commitment] as const);
  const isSnippet = ({ path }: { readonly path: string }) => path.endsWith(SNIPPET);
  const hidden = Object.entries(evidence.commitments);
  const { template, v } = evidence;
  const evidenceWith = (commitments: Commitments, salts: Evidence["salts"]) => {
    return { commitments, ...headOf(evidence), salts, template, v };
  };
  return {
    open: { ...head, evidence: evidenceWith(evidence.commitments, saltsOf(shown)), usedMemories },
    sealed: sealedForm(receipt, [...hidden, ...commitmentsOf(shown)]),
    /** What the recorded form has in place of the fields of the open one: see `recordedForm`. */
    recorded: {
      evidence: evidenceWith(
        byPath([...hidden, ...commitmentsOf(shown.filter(isSnippet))]),
        saltsOf(shown.filter((field) => !isSnippet(field))),
      ),
      usedMemories: rests as ViewedMemory[],
    },
  };
}

// Receipts on record withhold every snippet, so that none has to change when a memory is forgotten. A reader gets them
// back from the memories that are still on record, and the salts from the seed.

export const recordedForm = (receipt: RecordedReceipt): ViewedReceipt => withoutSnippets(receipt, () => true);

/** With the snippets of these memories, by id, where they fit. `seed` is that of the receipt, if it is known. */
export function withSnippets(
  receipt: ViewedReceipt,
  contents: ReadonlyMap<string, string>,
  seed?: Uint8Array,
): ViewedReceipt {
  const { evidence } = receipt;
  const isSealed = "salts" in evidence;
  const salts = new Map(isSealed ? Object.entries(evidence.salts) : []);
  const commitments = new Map(Object.entries(evidence.commitments));
  const usedMemories = receipt.usedMemories.map((memory, i) => {
    const content = contents.get(memory.memoryId);
    if (content === undefined || memory.snippet !== undefined) return memory;
    const snippet = snippetOf(content);
    if (!isSealed) return { ...memory, snippet };
    const path = snippetPath(i);
    const committed = commitments.get(path);
    if (committed === undefined) return salts.has(path) ? { ...memory, snippet } : memory;
    const salt = seed && saltOf(seed, path);
    if (salt === undefined || commitmentTo(salt, snippet) !== committed) return memory;
    salts.set(path, bytesToHex(salt));
    commitments.delete(path);
    return { ...memory, snippet };
  });
  if (!isSealed) return { ...receipt, usedMemories };
  const disclosed = { commitments: byPath([...commitments]), salts: byPath([...salts]) };
  return { ...receipt, evidence: { ...evidence, ...disclosed }, usedMemories };
}
