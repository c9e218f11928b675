// The receipt of an answer. An answer is released only when its receipt is on record. When the fence then withholds the
// answer, the receipt stays: the prompt had left for the model, and the record says so.
import { digestOf, digestOfText } from "#core/encoding/digest.ts";
import { blockedFields } from "#core/receipt/blocked-list.ts";
import { type AnswerReceipt, givenText, type UsedMemory } from "#core/receipt/receipt.ts";
import { answerDecision } from "#service/decisions/decision-log.ts";
import type { Deps } from "#service/deps.ts";
import { issuedReceiptOf } from "#service/receipts/receipts.ts";
import type { Answered, AnsweredWithoutMemories, ModelAnswer } from "./answered.ts";
import { type BlobChecks, usedMemories } from "./check-blobs.ts";
import type { GateDecision, GateView } from "./gatekeeper.ts";

type Issuer = Pick<Deps, "records" | "newId" | "now" | "call">;

interface Parts {
  readonly answer: string;
  /** Of the memories that were recalled. The prompt may have held fewer. */
  readonly checks: BlobChecks;
  readonly asked: ModelAnswer;
}

export function issueReceipt(deps: Issuer, decision: GateDecision, parts: Parts): Promise<Answered> {
  const { answer, checks, asked } = parts;
  const { memories, cited, prompt, model } = asked;
  return issue(deps, decision, answer, usedMemories(memories, checks, cited), {
    promptDigest: digestOf(prompt),
    model,
  });
}

/** For an answer in the service's own words: no model was asked, and no memory was used. */
export function issueWithoutMemories(
  deps: Issuer,
  decision: GateDecision,
  answer: string,
): Promise<AnsweredWithoutMemories> {
  return issue(deps, decision, answer, [] as const, { promptDigest: null, model: null });
}

/** For memories that were given to the caller: no model was asked, and the memories are the answer. */
export async function issueForMemories(deps: Issuer, view: GateView, checks: BlobChecks): Promise<AnswerReceipt> {
  const evidence = { promptDigest: null, model: null };
  const used = usedMemories(view.memories, checks);
  return (await issue(deps, view, givenText(view.memories), used, evidence)).receipt;
}

async function issue<Used extends readonly UsedMemory[]>(
  { records, newId, now, call }: Issuer,
  decision: GateDecision,
  answer: string,
  usedMemories: Used,
  { promptDigest, model }: Pick<AnswerReceipt["evidence"], "promptDigest" | "model">,
): Promise<Answered & { receipt: { usedMemories: Used } }> {
  const { agentId, blockedNamespaces, policyVersion, policyDigest } = decision;
  // In the order of canonical JSON, which is then the fastest to write.
  const receipt = {
    agentId,
    answerId: newId("ans"),
    ...blockedFields(blockedNamespaces),
    createdAt: now().toISOString(),
    evidence: { answerDigest: digestOfText(answer), model, policyDigest, policyVersion, promptDigest },
    usedMemories,
  };
  await records.receipts.add(issuedReceiptOf(receipt, blockedNamespaces), answerDecision(call, decision, receipt));
  return { answer, receipt };
}
