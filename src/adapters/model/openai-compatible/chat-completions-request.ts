// The request of OpenAI's chat completions (https://platform.openai.com/docs/api-reference/chat/create).
import type { Prompt } from "#core/prompt/prompt.ts";
import { CallFailure } from "./failure.ts";

export interface Endpoint {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string;
  readonly maxOutputTokens?: number;
}

interface ChatCompletionsRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function chatCompletionsRequest(
  { baseUrl, model, apiKey, maxOutputTokens }: Endpoint,
  { system, user }: Prompt,
  isStreamed: boolean,
): ChatCompletionsRequest {
  return {
    url: urlOf(baseUrl),
    headers: {
      "content-type": "application/json",
      // Does not tell which versions run here.
      "user-agent": "portcullis",
      // The adapter decodes no compressed body.
      "accept-encoding": "identity",
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({
      model,
      messages: [
        { role: "system", content: system },
        { role: "user", content: user },
      ],
      ...(maxOutputTokens !== undefined && { max_tokens: maxOutputTokens }),
      ...(isStreamed && { stream: true }),
    }),
  };
}

function urlOf(baseUrl: string): URL {
  const url = URL.parse(`${baseUrl.replace(/\/$/, "")}/chat/completions`);
  // node:http would send credentials of the URL as a header of its own.
  if (url === null || url.username !== "" || url.password !== "") throw new CallFailure({ kind: "invalid-request" });
  return url;
}
