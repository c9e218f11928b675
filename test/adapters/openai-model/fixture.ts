// A model on a stand-in endpoint of its own.
import { type OpenAiCompatibleOptions, openAiCompatibleModel } from "#adapters/model/openai-compatible/openai-model.ts";
import type { Prompt } from "#core/prompt/prompt.ts";
import type { CompleteOptions } from "#ports.ts";
import { noFence } from "#test/support/models.ts";
import { type OpenAiStandIn, startOpenAiStandIn } from "#test/support/openai-stand-in/openai-stand-in.ts";

export const KEY = "sk-canary-key";
export const PROMPT = { system: "canary-system", user: "canary-user" };

/** For calls without a fence, whole and streamed. */
export const WHOLE = { fence: noFence };
export const STREAMED = { fence: noFence, onText: () => undefined };

interface Outcome {
  readonly text?: string;
  readonly model?: string;
  readonly error?: unknown;
}

interface ModelOnStandIn extends AsyncDisposable {
  readonly standIn: OpenAiStandIn;
  complete(options: CompleteOptions): Promise<Outcome>;
}

interface ModelOptions extends Partial<OpenAiCompatibleOptions> {
  readonly prompt?: Prompt;
}

export async function startModel({ prompt = PROMPT, ...options }: ModelOptions = {}): Promise<ModelOnStandIn> {
  const standIn = await startOpenAiStandIn();
  const model = openAiCompatibleModel({ baseUrl: standIn.baseUrl, model: "configured", apiKey: KEY, ...options });
  return {
    standIn,
    complete: (call) => model.complete(prompt, call).catch((error: unknown) => ({ error })),
    [Symbol.asyncDispose]: () => standIn.close(),
  };
}
