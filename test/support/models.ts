// Language models for tests, and what a test needs to call one.

import { builtInModel } from "#adapters/model/built-in/built-in-model.ts";
import { NEVER_ABORTS } from "#async/with-deadline.ts";
import type { Prompt } from "#core/prompt/prompt.ts";
import type { FencedAction, LanguageModel, SendFence } from "#ports.ts";

/** Makes a fence without a service. For tests of a model alone. */
export function fenceFrom(pass: (send: FencedAction) => Promise<void>): SendFence {
  return pass as SendFence;
}

/** Lets everything through: in a test of a model alone there is no policy that could change. */
export const noFence = fenceFrom(async (send) => send(NEVER_ABORTS));

/** A model that answers when it is told to. */
export function heldModel(): { readonly model: LanguageModel; answer(): void } {
  const answers = Promise.withResolvers<void>();
  const model: LanguageModel = {
    name: "held",
    async complete(_, { fence }) {
      await fence(() => undefined);
      await answers.promise;
      return { text: "Soup.", model: "held" };
    },
  };
  return { model, answer: answers.resolve };
}

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
