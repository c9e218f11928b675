// The story of an answer: gate, prompt, model, blob checks, receipt. What the gate blocks is in none of the others.
import { canonicalJson } from "../core/canonical.ts";
import { digestOf, digestOfText } from "../core/digest.ts";
import { ASSISTANT } from "../core/persona.ts";
import { type Prompt, renderPrompt } from "../core/prompt.ts";
import type { AnswerReceipt, UsedMemory } from "../core/receipt.ts";
import type { CompleteOptions } from "../ports.ts";
import { checkBlobs } from "./check-blobs.ts";
import type { Deps } from "./deps.ts";
import type { GateView } from "./gatekeeper.ts";

export interface Answered {
  readonly answer: string;
  readonly receipt: AnswerReceipt;
}

export async function chat(
  deps: Deps,
  { agentId, query }: { agentId: string; query: string },
  options: CompleteOptions = {},
): Promise<Answered> {
  const view = await deps.gatekeeper.recall(agentId, query);
  const prompt = renderPrompt({ persona: ASSISTANT, memories: view.memories, query });
  const [{ text, model }, used] = await Promise.all([
    deps.model.complete(prompt, options),
    checkBlobs(deps.blobs, view.memories),
  ]);
  return issue(deps, { agentId, view, used, asked: { prompt, model }, answer: text });
}

/** What was answered, to whom, from which view of the memories. */
interface Given {
  readonly agentId: string;
  readonly view: GateView;
  readonly used: readonly UsedMemory[];
  /** Absent when no model was. */
  readonly asked?: { readonly prompt: Prompt; readonly model: string };
  readonly answer: string;
}

/** Writes the receipt. An answer is released only when its receipt is on record. */
export async function issue(deps: Deps, { agentId, view, used, asked, answer }: Given): Promise<Answered> {
  const receipt: AnswerReceipt = {
    answerId: deps.newId("ans"),
    agentId,
    usedMemories: used,
    blockedNamespaces: view.blockedNamespaces,
    createdAt: deps.now().toISOString(),
    evidence: {
      policyVersion: view.policyVersion,
      policyDigest: view.policyDigest,
      promptDigest: asked === undefined ? null : digestOf(asked.prompt),
      answerDigest: digestOfText(answer),
      model: asked?.model ?? null,
    },
  };
  const body = canonicalJson(receipt);
  const { answerId, createdAt } = receipt;
  await deps.records.addReceipt({ answerId, agentId, createdAt, body });
  return { answer, receipt };
}
