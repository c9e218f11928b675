// Language models for tests, and what a test needs to call one.
import { extractiveModel } from "#adapters/model/extractive.ts";
import type { Prompt } from "#core/prompt/prompt.ts";
import type { LanguageModel, SendFence } from "#ports.ts";

/** Lets everything through. For tests of a model alone, where there is no policy that could change. */
export const noFence: SendFence = async (send) => send();

/** The built-in model. It also records every prompt. */
export function recordingModel(): LanguageModel & { readonly prompts: readonly Prompt[] } {
  const model = extractiveModel();
  const prompts: Prompt[] = [];
  return {
    name: model.name,
    prompts,
    complete(prompt, options) {
      prompts.push(prompt);
      return model.complete(prompt, options);
    },
  };
}
