// The files of test/vectors/receipt-v2/, by name.

import { promptFrom } from "#core/prompt/prompt.ts";
import { isPromptTemplate, promptText } from "#core/prompt/template.ts";
import { commitmentTo, saltOf } from "#core/receipt/commitment.ts";
import { snippetOf } from "#core/receipt/receipt.ts";
import { withoutSnippets } from "#core/receipt/sealed-form.ts";
import { ANSWERS, PROMPTS, PUBLIC_KEY, SECRET_KEY, seedFrom, TEXTS } from "./inputs.ts";
import { ledgerVectors } from "./ledger.ts";
import { openingVectors } from "./openings.ts";
import { KEY_ID, type ReceiptVector, receiptVector } from "./receipts.ts";
import { refusedVectors } from "./refused.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

export async function vectorFiles(): Promise<Readonly<Record<string, object>>> {
  const receipts = ANSWERS.map(receiptVector);
  const [example, other] = receipts as [ReceiptVector, ReceiptVector];
  return {
    "commitments.json": { about: "Salts and commitments of single fields.", cases: commitmentVectors() },
    "receipts.json": {
      about: "Receipts of format 2. `signed` is base64 of the signed bytes; `withheld` has the same signature.",
      key: { secretKey: SECRET_KEY, publicKey: PUBLIC_KEY, keyId: KEY_ID },
      cases: receipts.map((vector) => ({
        ...vector,
        withheld: withoutSnippets(vector.receipt, ({ pinned }) => !pinned),
      })),
    },
    "refused.json": {
      about: "Receipts that must be refused, signed with the key of receipts.json.",
      cases: refusedVectors(example, other),
    },
    "openings.json": {
      about: "The receipts of receipts.json as they are anchored sealed, opening documents, and pseudonyms of names.",
      ...openingVectors(receipts),
    },
    "ledger.json": {
      about:
        "Ids of receipts, and an anchor of the first of receipts.json: its object, its gate, the entry of its version, its transaction.",
      ...(await ledgerVectors(example)),
    },
    "prompts.json": { about: "Prompts, rebuilt from their parts.", cases: promptVectors() },
    "snippets.json": {
      about: "Snippets of texts.",
      cases: TEXTS.map((content) => ({ content, snippet: snippetOf(content) })),
    },
  };
}

function commitmentVectors() {
  const fields: [path: string, value: unknown][] = [
    ["/agentId", "assistant"],
    ["/agentId", ""],
    ["/question", "What may I eat on Friday?"],
    ["/question", 'é\u0000\u001f\u007f\u2028"\\/<𝒳'],
    ["/blockedNamespaces", { blockedNamespaces: [] }],
    ["/blockedNamespaces", { blockedCount: 1_001, blockedDigest: "0".repeat(64), blockedNamespaces: ["a", "b"] }],
    ["/prompt", { user: "u", system: "s" }],
    ["/answer", [{ memoryId: "mem_1", content: "c" }]],
    ["/usedMemories/10/snippet", ""],
    ["/usedMemories/0/rest", { b: false, a: 0, é: 9_007_199_254_740_991, "\u{10400}": null, "\uff5e": [] }],
  ];
  return [0, 224].flatMap((first) =>
    fields.map(([path, value]) => {
      const seed = seedFrom(first);
      const salt = saltOf(seed, path);
      return { seed: hex(seed), path, value, salt: hex(salt), commitment: commitmentTo(salt, value) };
    }),
  );
}

function promptVectors() {
  return PROMPTS.map(({ template, memories, question, createdAt }, i) => {
    if (!isPromptTemplate(template)) throw new Error(`no template ${template}`);
    const facts = memories.map(({ namespace, content, occurredAt, pinned, given = content.length }) => ({
      namespace,
      content,
      ...(occurredAt && { occurredAt }),
      given,
      ...(pinned && { pinned }),
    }));
    const texts = facts.map((fact) => promptText(fact, fact.given));
    const prompt = promptFrom(template, texts, { question, createdAt });
    const seed = seedFrom(i);
    const commitment = commitmentTo(saltOf(seed, "/prompt"), prompt);
    return { template, memories: facts, question, createdAt, ...prompt, seed: hex(seed), commitment };
  });
}
