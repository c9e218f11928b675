// Models that tell a test what they were given.
import { extractiveModel } from "#adapters/model/extractive.ts";
import type { Prompt } from "#core/prompt/prompt.ts";
import type { LanguageModel } from "#ports.ts";

/** The built-in model, with every prompt it got. */
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
