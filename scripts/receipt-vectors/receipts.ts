// Receipts of format 2, made as the service makes them, from fixed parts.
import { createPrivateKey, sign } from "node:crypto";
import { digestHex } from "#core/encoding/digest.ts";
import { factBytes } from "#core/memory.ts";
import { promptFrom } from "#core/prompt/prompt.ts";
import { promptText } from "#core/prompt/template.ts";
import { type AnswerReceipt, blockedFields, snippetOf, type UsedMemory } from "#core/receipt/receipt.ts";
import { ANSWER, commitToHidden, FILTERS, PROMPT, QUESTION, seal, signedBytes } from "#core/receipt/sealed-form.ts";
import { keyIdOf } from "#core/receipt/signature.ts";
import { type InputAnswer, type InputMemory, PUBLIC_KEY, SECRET_KEY, seedFrom } from "./inputs.ts";

const PKCS8_HEAD = "302e020100300506032b657004220420";
const key = createPrivateKey({ key: Buffer.from(PKCS8_HEAD + SECRET_KEY, "hex"), format: "der", type: "pkcs8" });
export const KEY_ID = keyIdOf(Buffer.from(PUBLIC_KEY, "hex"));

const givenOf = ({ given, content }: InputMemory): number => given ?? content.length;

function usedMemory(memory: InputMemory, index: number): UsedMemory {
  const { namespace, content, pinned, cited } = memory;
  const bytes = factBytes(memory);
  return {
    authorized: true,
    ...(cited !== undefined && { cited }),
    contentDigest: digestHex(bytes),
    given: givenOf(memory),
    intact: true,
    memoryId: `mem_${index + 1}`,
    namespace,
    ...(pinned && { pinned }),
    snippet: snippetOf(content),
    storeRef: Buffer.from(digestHex(bytes), "hex").toString("base64url"),
    verified: true,
  };
}

/** Signs whatever it is given, also what a verifier must refuse. */
export function sealedAndSigned(seed: Uint8Array, unsealed: Parameters<typeof seal>[1]) {
  const { open, sealed } = seal(seed, unsealed);
  const message = signedBytes(sealed);
  const { usedMemories, ...head } = open;
  const signature = { keyId: KEY_ID, value: sign(null, message, key).toString("base64url") };
  const receipt: AnswerReceipt = { ...head, signature, usedMemories };
  return { receipt, sealed, message };
}

export function receiptVector(input: InputAnswer, index: number) {
  const { name, question, answer, model = null, template = null, policyVersion, ledgerVersion, memories } = input;
  const { isLogged = true, filters } = input;
  const seed = seedFrom(32 * index);
  const texts = memories.map((memory) => promptText(memory, givenOf(memory)));
  const createdAt = `2026-05-0${index + 1}T10:00:00.000Z`;
  const prompt = template === null ? undefined : promptFrom(template, texts, { question, createdAt });
  const given = memories.map(({ content }, i) => ({ content, memoryId: `mem_${i + 1}` }));
  const hidden = { [QUESTION]: question, [FILTERS]: filters, [PROMPT]: prompt, [ANSWER]: answer ?? given };
  const { receipt, sealed, message } = sealedAndSigned(seed, {
    agentId: input.agentId,
    answerId: `ans_${index + 1}`,
    ...blockedFields(input.blocked),
    createdAt,
    evidence: {
      commitments: commitToHidden(
        seed,
        Object.entries(hidden).filter(([, value]) => value !== undefined),
      ),
      kind: answer === undefined ? "recalled" : "answered",
      ...(ledgerVersion !== undefined && { ledgerVersion }),
      ...(isLogged && { log: { by: `2026-05-0${index + 1}T10:01:00.000Z`, origin: "memory.example/log" } }),
      model,
      policyDigest: digestHex(Buffer.from(`policy ${policyVersion}`)),
      policyVersion,
      template,
      v: 2,
    },
    usedMemories: memories.map(usedMemory),
  });
  return {
    name,
    receipt,
    opening: { v: 2, seed: Buffer.from(seed).toString("hex") },
    question,
    ...(filters && { filters }),
    ...(prompt && { prompt }),
    answer: answer ?? given,
    blobs: memories.map((memory) => Buffer.from(factBytes(memory)).toString("utf8")),
    sealed,
    signed: Buffer.from(message).toString("base64"),
  };
}

export type ReceiptVector = ReturnType<typeof receiptVector>;
