// The receipt of an answer. It is opened before the prompt leaves, and complete before the answer is released.
import { digestOf, digestOfText } from "#core/encoding/digest.ts";
import { blockedFields } from "#core/receipt/blocked-list.ts";
import { type AnswerReceipt, givenText, memoryInPrompt, type UsedMemory } from "#core/receipt/receipt.ts";
import type { Deps } from "#service/deps.ts";
import type { OnRecord } from "#service/receipts/on-record.ts";
import { recordIssued, recordOpened } from "#service/receipts/record-receipt.ts";
import type { Answered, AnsweredWithoutMemories, AskedPrompt, Issued, ModelAnswer } from "./answered.ts";
import { type BlobChecks, usedMemories } from "./check-blobs.ts";
import type { GateDecision, GateView } from "./gatekeeper.ts";

type Issuer = Pick<Deps, "records" | "newId" | "now" | "call" | "brokenOff">;

/** For a prompt that is to leave. */
export function openReceipt(deps: Issuer, decision: GateDecision, asked: AskedPrompt): Promise<OnRecord> {
  const { prompt, memories, model } = asked;
  const { policyVersion, policyDigest } = decision;
  return recordOpened(deps, decision, {
    ...headOf(deps, decision),
    evidence: { model, policyDigest, policyVersion, promptDigest: digestOf(prompt) },
    usedMemories: memories.map(({ memory }) => memoryInPrompt(memory)),
  });
}

interface Parts {
  readonly answer: string;
  /** Of the memories that were recalled. The prompt may have held fewer. */
  readonly checks: BlobChecks;
  readonly asked: ModelAnswer;
}

export function issueReceipt(deps: Issuer, decision: GateDecision, parts: Parts): Promise<Issued> {
  const { answer, checks, asked } = parts;
  const { memories, cited, prompt, model, opened } = asked;
  const evidence = { promptDigest: digestOf(prompt), model };
  const inPrompt = memories.map(({ memory }) => memory);
  return issue(deps, decision, answer, { used: usedMemories(inPrompt, checks, cited), evidence, opened });
}

const NO_MODEL = { promptDigest: null, model: null };

/** For an answer in the service's own words: no model was asked, and no memory was used. */
export function issueWithoutMemories(
  deps: Issuer,
  decision: GateDecision,
  answer: string,
): Promise<Issued<AnsweredWithoutMemories>> {
  return issue(deps, decision, answer, { used: [] as const, evidence: NO_MODEL });
}

/** For memories that were given to the caller: no model was asked, and the memories are the answer. */
export function issueForMemories(deps: Issuer, view: GateView, checks: BlobChecks): Promise<Issued> {
  const used = usedMemories(view.memories, checks);
  return issue(deps, view, givenText(view.memories), { used, evidence: NO_MODEL });
}

interface Content<Used> {
  readonly used: Used;
  readonly evidence: Pick<AnswerReceipt["evidence"], "promptDigest" | "model">;
  /** The receipt of the prompt that was answered. */
  readonly opened?: OnRecord;
}

async function issue<Used extends readonly UsedMemory[]>(
  deps: Issuer,
  decision: GateDecision,
  answer: string,
  { used, evidence: { promptDigest, model }, opened }: Content<Used>,
): Promise<Issued<Answered & { receipt: { usedMemories: Used } }>> {
  const { policyVersion, policyDigest } = decision;
  const receipt = {
    ...headOf(deps, decision, opened),
    evidence: { answerDigest: digestOfText(answer), model, policyDigest, policyVersion, promptDigest },
    usedMemories: used,
  };
  return { answered: { answer, receipt }, onRecord: await recordIssued(deps, decision, receipt) };
}

/** The first fields, in the order of canonical JSON, which is then the fastest to write. */
function headOf({ newId, now }: Issuer, { agentId, blockedNamespaces }: GateDecision, opened?: OnRecord) {
  const answerId = opened?.answerId ?? newId("ans");
  const createdAt = opened?.createdAt ?? now().toISOString();
  return { agentId, answerId, ...blockedFields(blockedNamespaces), createdAt };
}
