// The story of an answer: gate, prompt, model, blob checks, receipt, release. What the gate blocks is in none of them.
// A revoke that arrives meanwhile is final for this answer, too: see attempts.ts.
import type { RecallBounds } from "#core/gate/gate.ts";
import { askedText, type SearchedText } from "#core/recall/conversation.ts";
import type { Call } from "#service/call.ts";
import { type Answerer, beginReceipt, issueReceipt } from "#service/receipts/issue-receipt.ts";
import type { SizesOf } from "./answered.ts";
import type { Recalled } from "./attempts/attempt.ts";
import type { Caller } from "./caller.ts";
import { checkBlobs } from "./check-blobs.ts";

interface Question extends SearchedText, Omit<RecallBounds, "limit" | "searched"> {
  readonly agentId: string;
  readonly sizesOf?: SizesOf | undefined;
  readonly pace?: "reader" | undefined;
}

export function chat(
  tenant: Answerer,
  { agentId, query, messages, sizesOf, pace, ...bounds }: Question,
  caller: Caller,
  call?: Call,
): Promise<void> {
  return tenant.attempts.run(caller, async ({ recall }) => {
    const recalled = await recall(agentId, askedText(query, messages), { ...bounds, searched: { query, messages } });
    await answerFrom(tenant, recalled, { template: "assistant/1", sizesOf, atReadersPace: pace === "reader" }, call);
  });
}

/** Has the model answer from these memories. The answer begins with the preface, which is not the model's. */
export async function answerFrom(
  tenant: Answerer,
  recalled: Recalled,
  question: Omit<Parameters<Recalled["ask"]>[0], "begin" | "now">,
  call: Call | undefined,
): Promise<void> {
  const [asked, checks] = await Promise.all([
    recalled.ask({ ...question, now: tenant.now, begin: (prompt) => beginReceipt(tenant, recalled, prompt, call) }),
    checkBlobs(tenant.blobs, recalled.memories),
  ]);
  const answer = `${question.preface ?? ""}${asked.text}`;
  await recalled.release(await issueReceipt(tenant, recalled, { answer, checks, asked }, call));
}
