// The receipt of an answer. An answer is released only when its receipt is on record. When the fence then withholds the
// answer, the receipt stays: the prompt had left for the model, and the record says so.
import { digestOf, digestOfText } from "#core/encoding/digest.ts";
import { blockedFields } from "#core/receipt/blocked-list.ts";
import { type AnswerReceipt, givenText, type UsedMemory } from "#core/receipt/receipt.ts";
import { answerDecision } from "#service/decisions/decision-log.ts";
import type { Deps } from "#service/deps.ts";
import { issuedReceiptOf } from "#service/receipts/receipts.ts";
import type { Answered, AnsweredWithoutMemories, ModelAnswer } from "./answered.ts";
import type { GateDecision, GateView } from "./gatekeeper.ts";

type Issuer = Pick<Deps, "records" | "newId" | "now" | "call">;

interface Parts {
  readonly answer: string;
  /** The memories that were recalled. The prompt may have held fewer. */
  readonly checked: readonly UsedMemory[];
  readonly asked: ModelAnswer;
}

export function issueReceipt(deps: Issuer, decision: GateDecision, parts: Parts): Promise<Answered> {
  const { answer, checked, asked } = parts;
  return issue(deps, decision, answer, usedMemories(asked, checked), {
    promptDigest: digestOf(asked.prompt),
    model: asked.model,
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

/** What was in the prompt, and which of it the model cites if it says so. */
function usedMemories({ memories, cited }: ModelAnswer, checked: readonly UsedMemory[]): UsedMemory[] {
  const byId = new Map(checked.map((memory) => [memory.memoryId, memory]));
  return memories.flatMap(({ memoryId }, position) => {
    const memory = byId.get(memoryId);
    return memory === undefined ? [] : [{ ...memory, ...(cited && { cited: cited.includes(position) }) }];
  });
}

/** For memories that were given to the caller: no model was asked, and the memories are the answer. */
export async function issueForMemories(
  deps: Issuer,
  view: GateView,
  used: readonly UsedMemory[],
): Promise<AnswerReceipt> {
  const evidence = { promptDigest: null, model: null };
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
  const receipt = {
    answerId: newId("ans"),
    agentId,
    usedMemories,
    ...blockedFields(blockedNamespaces),
    createdAt: now().toISOString(),
    evidence: { policyVersion, policyDigest, promptDigest, answerDigest: digestOfText(answer), model },
  };
  await records.receipts.add(issuedReceiptOf(receipt, blockedNamespaces), answerDecision(call, decision, receipt));
  return { answer, receipt };
}
