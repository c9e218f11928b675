// The built-in model, word by word: it says as many words as the script lets it say. A script that draws frames decides
// when each of them is said.
import { answerTo } from "#adapters/model/built-in/built-in-model.ts";
import { untilAborted } from "#async/with-deadline.ts";
import type { LanguageModel } from "#ports.ts";

const WORD = /\S+\s*/g;
const NAME = "portcullis-extractive-2";

export interface HeldModel {
  readonly model: LanguageModel;
  /** Lets it say so many words more of the answer under way. Resolves when they are said, or there are no more. */
  say(words: number): Promise<void>;
}

export function heldModel(): HeldModel {
  let isSpeaking = false;
  let allowed = 0;
  let permitted = Promise.withResolvers<void>();
  let said = Promise.withResolvers<void>();

  return {
    model: {
      name: NAME,
      async complete(prompt, { fence, signal = new AbortController().signal, onText }) {
        await fence(() => undefined);
        const { text, cited } = answerTo(prompt);
        isSpeaking = true;
        for (const [word] of text.matchAll(WORD)) {
          while (allowed === 0) {
            said.resolve();
            await untilAborted(signal, permitted.promise);
          }
          allowed -= 1;
          onText?.(word);
        }
        isSpeaking = false;
        said.resolve();
        return { text, model: NAME, cited };
      },
    },
    async say(count) {
      if (!isSpeaking) return;
      allowed = count;
      said = Promise.withResolvers();
      permitted.resolve();
      permitted = Promise.withResolvers();
      await said.promise;
    },
  };
}
