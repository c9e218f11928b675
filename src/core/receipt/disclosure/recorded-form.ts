// Receipts on record hold no text of memories: a memory may be forgotten, and then no receipt has to change. The recorded
// form withholds every snippet. A reader gets them back from the memories that are still on record, and the salts from the
// seed.
import { bytesToHex } from "@noble/hashes/utils.js";
import { type RecordedReceipt, snippetOf, type ViewedMemory, type ViewedReceipt } from "#core/receipt/receipt.ts";
import { commitmentTo, saltOf } from "./commitment.ts";
import { snippetPath } from "./private-fields.ts";
import { byPath, type Commitments, withoutSnippets } from "./sealed-form.ts";

/** The receipt without any snippet. `known` are commitments that were computed before. */
export function recordedForm(receipt: RecordedReceipt, known?: Commitments): ViewedReceipt {
  const { evidence } = receipt;
  if (known === undefined || !("salts" in evidence)) return withoutSnippets(receipt, () => true);
  const paths = new Set(receipt.usedMemories.map((_, i) => snippetPath(i)));
  const snippets = Object.entries(known).filter(([path]) => paths.has(path));
  return {
    ...receipt,
    evidence: {
      ...evidence,
      commitments: byPath([...Object.entries(evidence.commitments), ...snippets]),
      salts: byPath(Object.entries(evidence.salts).filter(([path]) => !paths.has(path))),
    },
    usedMemories: receipt.usedMemories.map(withoutSnippet),
  };
}

function withoutSnippet({ snippet: _, ...rest }: ViewedMemory): ViewedMemory {
  return rest;
}

/**
 * The receipt with the snippets of these memories, by id. A text that is not the one that the receipt was issued for is
 * left out. `seed` is that of the receipt, if it has one.
 */
export function withSnippets(
  receipt: ViewedReceipt,
  contents: ReadonlyMap<string, string>,
  seed?: Uint8Array,
): ViewedReceipt {
  const { evidence } = receipt;
  const isSealed = "salts" in evidence;
  const salts = new Map(isSealed ? Object.entries(evidence.salts) : []);
  const commitments = new Map("commitments" in evidence ? Object.entries(evidence.commitments) : []);
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
