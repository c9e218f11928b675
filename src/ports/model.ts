// Language models.
import type { Prompt } from "#core/prompt/prompt.ts";
import type { Abortable } from "./blobs.ts";

export interface Completion {
  readonly text: string;
  /** The model that answered, as it names itself. */
  readonly model: string;
}

declare const minted: unique symbol;

/**
 * The fence before the prompt leaves the process. The adapter calls it with `send`, which makes the bytes leave; the
 * fence runs `send` only if they still may, and rejects otherwise. Every try passes it anew. Only
 * service/answers/fence.ts makes one.
 */
export interface SendFence {
  (send: () => void | Promise<void>): Promise<void>;
  readonly [minted]: true;
}

export interface CompleteOptions extends Abortable {
  readonly fence: SendFence;
  /** Called with each piece of the text as it is made; the pieces together are the text. */
  readonly onText?: (piece: string) => void;
}

/** Turns a prompt into an answer. Does not choose what is in the prompt, and sees nothing else. */
export interface LanguageModel {
  /** What it was configured as. */
  readonly name: string;
  complete(prompt: Prompt, options: CompleteOptions): Promise<Completion>;
}
