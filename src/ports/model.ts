// The port of a language model.
import type { CompletionChunk } from "#core/prompt/completion-message.ts";
import type { ForwardedTemplate } from "#core/prompt/gateway-request.ts";
import type { Prompt } from "#core/prompt/prompt.ts";
import type { FencedAction } from "./records/policy.ts";
import type { Abortable } from "./storage.ts";

export interface Completion {
  readonly text: string;
  /** The model that answered, as it names itself. */
  readonly model: string;
  /** Positions, in the prompt's order, of the memories that the text quotes. Absent when the model does not say. */
  readonly cited?: readonly number[];
}

declare const minted: unique symbol;

/**
 * The fence before the model. It runs `send`, which makes bytes of the prompt leave the process, only while the agent
 * may use what the prompt holds, and no policy change is acknowledged before `send` has settled. It rejects without
 * running `send` when the agent may not. The signal is that of a `FencedAction`. Only service/answers/attempts/fence.ts makes one.
 */
export interface SendFence {
  (send: FencedAction): Promise<void>;
  readonly [minted]: true;
}

export interface CompleteOptions extends Abortable {
  /** Every byte of the prompt leaves behind this fence, in each try anew. A model that sends nothing passes it once. */
  readonly fence: SendFence;
  /** The agent that asks. Calls that wait are let through by a fair share of each. */
  readonly caller?: string | undefined;
  /** A person reads the pieces: a model that has all of them at once gives them one by one. */
  readonly atReadersPace?: boolean | undefined;
  /** Called with each piece of the text as it arrives. The pieces join to the text. */
  readonly onText?: (piece: string) => void;
}

/** Turns a prompt into an answer. Does not choose what is in the prompt, and sees nothing else. */
export interface LanguageModel {
  /** The name from the configuration. */
  readonly name: string;
  /** Throws `overloaded` when a call of this agent would be refused now, so that nothing is recorded for it. */
  requireRoom?(caller: string): void;
  complete(prompt: Prompt, options: CompleteOptions): Promise<Completion>;
  /** For callers who speak OpenAI's protocol. */
  readonly completions?: ChatCompletions | undefined;
}

export interface ForwardOptions extends Omit<CompleteOptions, "onText"> {
  /** Of the request. A caller of the gateway cannot choose it. */
  readonly template: ForwardedTemplate;
  /** Called with each chunk of a stream as it arrives, or once with the whole completion. */
  readonly onChunk: (chunk: CompletionChunk) => void;
}

/** Passes requests of OpenAI's chat completions on, as they are. */
export interface ChatCompletions {
  /** The name of each model that callers may use, with the name that its provider knows it by. */
  readonly models: ReadonlyMap<string, string>;
  /** `model` is a name that callers use, and `request` is JSON. Rejects as `complete` does. */
  forward(model: string, request: string, options: ForwardOptions): Promise<void>;
}

export interface EmbedOptions extends Abortable {
  /** Questions go before memories: somebody waits for them. `memory` when left out. */
  readonly of?: "question" | "memory";
}

/** Turns a text into a vector, inside the process: elsewhere it would leave beside the gate. Keeps no text. */
export interface SentenceEmbedder {
  /** The vectors of all texts have the same length. Rejects when it is busy, closed or has failed. */
  embed(text: string, options?: EmbedOptions): Promise<Int8Array>;
  /** Rejects what waits, and ends. */
  close(): Promise<void>;
}
