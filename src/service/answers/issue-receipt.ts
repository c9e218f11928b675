// The receipt of an answer. It is opened before the prompt leaves, and complete and signed before the answer is released.

import type { GivenMemory } from "#core/prompt/fit-memories.ts";
import { blockedFields } from "#core/receipt/blocked-list.ts";
import { ANSWER, PROMPT, QUESTION } from "#core/receipt/disclosure/private-fields.ts";
import { commitToHidden, seal } from "#core/receipt/disclosure/seal.ts";
import { type Evidence, givenTexts, memoryInPrompt, type UsedMemory } from "#core/receipt/receipt.ts";
import type { Deps } from "#service/deps.ts";
import type { OpenedOnRecord } from "#service/receipts/on-record.ts";
import { recordIssued, recordOpened } from "#service/receipts/record-receipt.ts";
import type { Answered, AnsweredWithoutMemories, AskedPrompt, Issued, ModelAnswer } from "./answered.ts";
import { type BlobChecks, usedMemories } from "./check-blobs.ts";
import type { GateDecision, GateView } from "./gatekeeper.ts";

type Issuer = Pick<
  Deps,
  "records" | "ledger" | "newId" | "newSeed" | "now" | "call" | "brokenOff" | "signer" | "cipher" | "keepQuestions"
>;

/** For a prompt that is to leave. */
export async function openReceipt(deps: Issuer, decision: GateDecision, asked: AskedPrompt): Promise<OpenedOnRecord> {
  const { prompt, memories, model, template } = asked;
  const seed = deps.newSeed();
  const ledgerVersion = ledgerVersionNow(deps);
  const commitments = commitToHidden(seed, { [PROMPT]: prompt, [QUESTION]: decision.query });
  const receipt = {
    ...headOf(deps, decision),
    evidence: {
      commitments,
      kind: "answered" as const,
      ...ledgerVersion,
      model,
      ...policyOf(decision),
      template,
      v: 2 as const,
    },
    usedMemories: memories.map(memoryInPrompt),
  };
  const onRecord = await recordOpened(deps, decision, receipt, { bytes: seed, isSealed: usesSealed(memories) });
  return { ...onRecord, seed, commitments, ledgerVersion };
}

interface Parts {
  readonly answer: string;
  /** Of the memories that were recalled. The prompt may have held fewer. */
  readonly checks: BlobChecks;
  readonly asked: ModelAnswer;
}

export function issueReceipt(deps: Issuer, decision: GateDecision, parts: Parts): Promise<Issued> {
  const { answer, checks, asked } = parts;
  const { memories, cited, model, template, opened } = asked;
  const used = usedMemories(memories, checks, cited);
  const isSealed = usesSealed(memories);
  return issue(deps, decision, answer, { used, isSealed, kind: "answered", model, template, answer, opened });
}

const NO_MODEL = { model: null, template: null };

/** For an answer in the service's own words: no model was asked, and no memory was used. */
export function issueWithoutMemories(
  deps: Issuer,
  decision: GateDecision,
  answer: string,
): Promise<Issued<AnsweredWithoutMemories>> {
  return issue(deps, decision, answer, {
    used: [] as const,
    isSealed: false,
    kind: "answered",
    ...NO_MODEL,
    answer,
  });
}

/** For memories that were given to the caller: no model was asked, and the memories are the answer. */
export function issueForMemories(deps: Issuer, view: GateView, checks: BlobChecks): Promise<Issued> {
  const whole = view.memories.map((memory) => ({ memory, given: memory.content.length }));
  const used = usedMemories(whole, checks);
  const answer = givenTexts(view.memories);
  return issue(deps, view, "", { used, isSealed: usesSealed(whole), kind: "recalled", ...NO_MODEL, answer });
}

const usesSealed = (given: readonly GivenMemory[]): boolean => given.some(({ memory }) => memory.sealed);

interface Content<Used> extends Pick<Evidence, "kind" | "model" | "template"> {
  readonly used: Used;
  /** Whether one of them is sealed. */
  readonly isSealed: boolean;
  /** The value that the commitment to the answer is of. */
  readonly answer: unknown;
  /** The receipt of the prompt that was answered. */
  readonly opened?: OpenedOnRecord;
}

async function issue<Used extends readonly UsedMemory[]>(
  deps: Issuer,
  decision: GateDecision,
  text: string,
  { used, isSealed, kind, model, template, answer, opened }: Content<Used>,
): Promise<Issued<Answered & { receipt: { usedMemories: Used } }>> {
  const seed = opened?.seed ?? deps.newSeed();
  const known = opened?.commitments ?? commitToHidden(seed, { [QUESTION]: decision.query });
  const commitments = { ...commitToHidden(seed, { [ANSWER]: answer }), ...known };
  const ledgerVersion = opened?.ledgerVersion ?? ledgerVersionNow(deps);
  const { open, sealed } = seal(seed, {
    ...headOf(deps, decision, opened),
    evidence: { commitments, kind, ...ledgerVersion, model, ...policyOf(decision), template, v: 2 },
    usedMemories: used,
  });
  const { usedMemories: _, ...fields } = open;
  const receipt = { ...fields, signature: await deps.signer.sign(sealed), usedMemories: used };
  const onRecord = await recordIssued(deps, decision, receipt, {
    seed: { bytes: seed, isSealed },
    commitments: sealed.commitments,
  });
  return { answered: { answer: text, receipt, opening: { v: 2, seed: Buffer.from(seed).toString("hex") } }, onRecord };
}

const policyOf = ({ policyDigest, policyVersion }: GateDecision) => ({ policyDigest, policyVersion });

/** What was read longer ago says too little about the time of the answer. */
const LEDGER_VERSION_MS = 60_000;

/** When somebody else changes the policy on the ledger: the version there that was last read, if that was a moment ago. */
function ledgerVersionNow({ ledger, now }: Issuer): Pick<Evidence, "ledgerVersion"> {
  const read = ledger.policyVersion();
  if (read === undefined || now().getTime() - Date.parse(read.readAt) > LEDGER_VERSION_MS) return {};
  return { ledgerVersion: read.version };
}

/** The first fields, in the order of canonical JSON, which is then the fastest to write. */
function headOf({ newId, now }: Issuer, { agentId, blockedNamespaces }: GateDecision, opened?: OpenedOnRecord) {
  const at = now();
  // The id begins with the receipt's time, so that receipts are found by time.
  const answerId = opened?.answerId ?? newId("ans", at.getTime());
  const createdAt = opened?.createdAt ?? at.toISOString();
  return { agentId, answerId, ...blockedFields(blockedNamespaces), createdAt };
}
