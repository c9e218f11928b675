// The built-in model. It answers from the memories of the prompt, in whole sentences, and never invents: what it says
// about the person is quoted. It is deterministic and uses no network and no clock.
import type { LanguageModel } from "#ports.ts";
import { answerTo } from "./answer.ts";

const NAME = "portcullis-extractive-2";

export function builtInModel(): LanguageModel {
  return {
    name: NAME,
    async complete(prompt, { fence, signal, onText }) {
      signal?.throwIfAborted();
      // Nothing leaves the process here. But every model passes the fence, so that the rule has no exception.
      await fence(() => undefined);
      const { text, cited } = answerTo(prompt);
      onText?.(text);
      return { text, model: NAME, cited };
    },
  };
}
