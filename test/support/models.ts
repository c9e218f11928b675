// Language models for tests, and what a test needs to call one.
import { builtInModel } from "#adapters/model/built-in/built-in-model.ts";
import type { Prompt } from "#core/prompt/prompt.ts";
import type { LanguageModel, SendFence } from "#ports.ts";

/** Makes a fence without a service. For tests of a model alone. */
export function fenceFrom(pass: (send: () => void | Promise<void>) => Promise<void>): SendFence {
  return pass as SendFence;
}

/** Lets everything through: in a test of a model alone there is no policy that could change. */
export const noFence = fenceFrom(async (send) => send());

/** The built-in model. It also records every prompt. */
export function recordingModel(): LanguageModel & { readonly prompts: readonly Prompt[] } {
  const model = builtInModel();
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
