// A request of OpenAI's chat completions: the story of chat.ts with the caller's own messages, parameters and tools. The
// memories go into the request, and what the model says goes to the caller as it is. It ends with a receipt like any answer.
import { type CompletionChunk, collectMessage } from "#core/prompt/completion-message.ts";
import { type CompletionRequest, GATEWAY_TEMPLATE } from "#core/prompt/gateway-request.ts";
import { askedText, type SearchedText } from "#core/recall/conversation.ts";
import type { Call } from "#service/call.ts";
import { type Answerer, beginReceipt, issueReceipt } from "#service/receipts/issue-receipt.ts";
import type { ForwardedAnswer } from "./answered.ts";
import type { Caller } from "./caller.ts";
import { checkBlobs } from "./check-blobs.ts";

interface Forwarding extends SearchedText {
  readonly agentId: string;
  readonly request: CompletionRequest;
  /** Told the id of the receipt, before anything of the answer is sent. */
  onReceipt(answerId: string): void;
}

export function forward(
  tenant: Answerer,
  { agentId, query, messages, request, onReceipt }: Forwarding,
  caller: Caller<ForwardedAnswer>,
  call?: Call,
): Promise<void> {
  return tenant.attempts.run(caller, async ({ recall }) => {
    const recalled = await recall(agentId, askedText(query, messages), { searched: { query, messages } });
    const message = collectMessage();
    const kept: CompletionChunk[] = [];
    let model = request.model;

    /** From the end of the message on, chunks are kept back: they leave when the receipt is on record. */
    function onChunk(chunk: CompletionChunk): string | undefined {
      message.add(chunk);
      model = chunk.model ?? model;
      if (caller.listener !== undefined && !message.isFinished()) return JSON.stringify(chunk);
      kept.push(chunk);
      return undefined;
    }
    const begin: typeof beginReceipt = async (...of) => {
      const begun = await beginReceipt(...of);
      onReceipt(begun.answerId);
      return begun;
    };
    const [asked, checks] = await Promise.all([
      recalled.forward({
        request,
        template: GATEWAY_TEMPLATE,
        onChunk,
        begin: (prompt) => begin(tenant, recalled, prompt, call),
      }),
      checkBlobs(tenant.blobs, recalled.memories),
    ]);
    const answer = message.answer();
    const parts = { answer, checks, asked: { ...asked, text: answer, model } };
    const { answered, onRecord } = await issueReceipt(tenant, recalled, parts, call);
    const last = { ...kept.at(-1), portcullis: { receipt: answered.receipt.answerId } } as unknown as CompletionChunk;
    await recalled.release({ answered: { chunks: [...kept.slice(0, -1), last] }, onRecord });
  });
}
