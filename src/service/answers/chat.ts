// The story of an answer: gate, prompt, model, blob checks, receipt. What the gate blocks is in none of the others.
// The attempt keeps the fences: a revoke that comes meanwhile is final for this answer, too.
import { digestOf, digestOfText } from "#core/encoding/digest.ts";
import { ASSISTANT } from "#core/prompt/persona.ts";
import { type Prompt, renderPrompt } from "#core/prompt/prompt.ts";
import type { AnswerReceipt, UsedMemory } from "#core/receipt/receipt.ts";
import type { Deps } from "#service/deps.ts";
import { onRecord } from "#service/receipts/receipts.ts";
import { type Answered, type Caller, inAttempts } from "./attempt.ts";
import { checkBlobs } from "./check-blobs.ts";
import type { GateView } from "./gatekeeper.ts";

export function chat(
  deps: Deps,
  { agentId, query }: { agentId: string; query: string },
  caller: Caller,
): Promise<void> {
  return inAttempts(deps, caller, async (attempt) => {
    const view = await attempt.recall(agentId, query);
    const prompt = renderPrompt({ persona: ASSISTANT, memories: view.memories, query });
    const [{ text, model }, used] = await Promise.all([attempt.ask(prompt), checkBlobs(deps.blobs, view.memories)]);
    await attempt.release(await issue(deps, { agentId, view, used, asked: { prompt, model }, answer: text }));
  });
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

/**
 * Writes the receipt. An answer is released only when its receipt is on record. When the fence then withholds the
 * answer, the receipt stays: the prompt had left for the model, and the record says so.
 */
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
  await deps.records.receipts.add(onRecord(receipt));
  return { answer, receipt };
}
