// Who answers.
import type { Prompt } from "#core/prompt/prompt.ts";
import type { Abortable } from "./blobs.ts";

export interface Completion {
  readonly text: string;
  /** The model that answered, as it names itself. */
  readonly model: string;
}

export interface CompleteOptions extends Abortable {
  /** Called with each piece of the text as it is made; the pieces together are the text. */
  readonly onText?: (piece: string) => void;
  /**
   * The last gate before bytes of the prompt leave the process: `send` is what makes them leave, and it is called only
   * if they still may. Rejects if they may not, and nothing is sent. Every try passes it anew. Left out, all may leave.
   */
  readonly atTheGate?: (send: () => void | Promise<void>) => Promise<void>;
}

/** Turns a prompt into an answer. Does not choose what is in the prompt, and sees nothing else. */
export interface LanguageModel {
  /** What it was configured as. */
  readonly name: string;
  complete(prompt: Prompt, options?: CompleteOptions): Promise<Completion>;
}
