// The built-in model for callers who speak OpenAI's protocol, so that the gateway can be tried without a provider. It takes
// messages, and settings that choose among likely words, which it has no use for: the same request has the same answer on
// the same day. It takes nothing else that it would have to ignore. One token of its usage is one word.

import { extractByRules, RULES_NAME } from "#core/conversations/extract-by-rules.ts";
import { readExtraction } from "#core/conversations/extraction-request.ts";
import { invalidFields } from "#core/errors.ts";
import { escapedJson } from "#core/prompt/escaped-json.ts";
import { type CompletionRequest, EXTRACTION_TEMPLATE, readRequest } from "#core/prompt/gateway-request.ts";
import type { Prompt } from "#core/prompt/prompt.ts";
import { systemText, userText } from "#core/prompt/template.ts";
import type { ChatCompletions } from "#ports.ts";

const MEMBERS = "model messages stream stream_options user n temperature top_p seed frequency_penalty presence_penalty";
const TAKEN: ReadonlySet<string> = new Set(MEMBERS.split(" "));

export function builtInCompletions(
  name: string,
  answerTo: (prompt: Prompt) => { readonly text: string },
  /** Of the lines of memories, and of what `readExtraction` reads. */
  extract = (lines: readonly string[], question: string): object =>
    extractByRules(
      readExtraction(question),
      lines.map((line) => JSON.parse(line)),
    ),
): ChatCompletions {
  return {
    models: new Map([[name, name]]),
    async forward(_model, body, { template, fence, signal, onChunk }) {
      const request: StreamedRequest = JSON.parse(body);
      const isExtraction = template === EXTRACTION_TEMPLATE;
      const isTaken = (member: string) => TAKEN.has(member) || (isExtraction && member === "response_format");
      const refused = Object.keys(request).filter((member) => !isTaken(member));
      if (refused.length > 0) throw invalidFields(...refused.map(notTaken));
      signal?.throwIfAborted();
      await fence(() => undefined);
      const { lines, question } = readRequest(request);
      const now = new Date();
      const user = userText(lines, escapedJson(question), now.toISOString());
      const text = isExtraction
        ? JSON.stringify(extract(lines, question))
        : answerTo({ system: systemText("assistant/1"), user }).text;
      const [prompt_tokens, completion_tokens] = [countWords(body), countWords(text)];
      const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
      const model = isExtraction ? RULES_NAME : name;
      const head = { id: "chatcmpl-built-in", created: Math.floor(now.getTime() / 1_000), model };
      if (request.stream !== true) {
        const message = { role: "assistant", content: text, refusal: null };
        const choices = [{ index: 0, message, logprobs: null, finish_reason: "stop" }];
        return onChunk({ ...head, object: "chat.completion", choices, usage } as never);
      }
      const chunk = (choices: readonly object[], more = {}) =>
        onChunk({ ...head, object: "chat.completion.chunk", choices, ...more } as never);
      for (const content of text.split(/(?<= )/u))
        chunk([{ index: 0, delta: { role: "assistant", content }, finish_reason: null }]);
      chunk([{ index: 0, delta: {}, finish_reason: "stop" }]);
      if (request.stream_options?.include_usage === true) chunk([], { usage });
    },
  };
}

type StreamedRequest = CompletionRequest & { readonly stream_options?: { readonly include_usage?: boolean } };

const notTaken = (member: string) => ({
  pointer: `#/${member}`,
  detail: "is not taken by the built-in model; set MODEL_BASE_URL to use another",
});

const countWords = (text: string): number => text.match(/\S+/gu)?.length ?? 0;
