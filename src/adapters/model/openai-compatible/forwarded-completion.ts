// One call of a provider with a caller's own request: what comes back is passed on as it is, a whole completion or chunk
// by chunk. Rejects with a CallFailure for whatever the provider does wrong.
import { text as readText } from "node:stream/consumers";
import { z } from "zod";
import type { CompletionChunk } from "#core/prompt/completion-message.ts";
import type { ForwardOptions } from "#ports.ts";
import { drain, type Endpoint, eventData, exchange } from "./chat-completion.ts";
import { modelName, parse } from "./completion-parser.ts";
import { CallFailure } from "./failure.ts";
import type { Post } from "./fenced-post.ts";

const text = z.string().nullish();
const called = z.looseObject({ name: text, arguments: text });
const toolCall = z.looseObject({ index: z.int().min(0).max(1_000).optional(), id: text, function: called.optional() });
const message = z.looseObject({ content: text, refusal: text, tool_calls: z.array(toolCall).nullish() }).nullish();
const choice = z.looseObject({ message, delta: message, finish_reason: text });
const chunk = z.looseObject({
  choices: z.array(choice),
  model: z.unknown().transform(modelName),
  error: z.null().optional(),
});

interface Forwarded extends Omit<ForwardOptions, "caller" | "template"> {
  readonly request: string;
  readonly signal: AbortSignal;
}

export const forwardCompletion = (
  settings: Endpoint & { readonly post: Post },
  { request: body, fence, signal, onChunk }: Forwarded,
): Promise<void> =>
  exchange(settings, { body, fence, signal, isForwarded: true }, async (chunks, headers) => {
    const isStream = headers["content-type"]?.startsWith("text/event-stream") === true;
    if (isStream) await passOn(eventData(chunks), onChunk);
    else onChunk(parseWhole(await readText(chunks)));
  });

async function passOn(events: AsyncGenerator<string>, onChunk: (chunk: CompletionChunk) => void): Promise<void> {
  let isFinished = false;
  for (let next = await events.next(); !next.done; next = await events.next()) {
    if (next.value === "[DONE]") {
      await drain(events);
      break;
    }
    const part: CompletionChunk = parse(chunk, next.value);
    isFinished ||= part.choices.some(({ finish_reason }) => (finish_reason ?? "") !== "");
    onChunk(part);
  }
  if (!isFinished) throw new CallFailure({ kind: "no-answer" });
}

function parseWhole(json: string): CompletionChunk {
  const whole: CompletionChunk = parse(chunk, json);
  if (whole.choices.length === 0) throw new CallFailure({ kind: "no-answer" });
  return whole;
}
