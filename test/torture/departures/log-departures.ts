// What left the service, as those outside saw it: every prompt that the model received, and every piece of an answer that a
// client got. Clients and model note it in one history, which finds leaks.
import { type Prompt, readPrompt } from "#core/prompt/prompt.ts";
import { createHistory, type History } from "#test/torture/history.ts";

/** A prompt that the model received. */
export interface DepartedPrompt {
  readonly prompt: Prompt;
  /** Whether a receipt was found that is committed to it. */
  isRecorded: boolean;
}

export interface DepartureLog {
  readonly history: History;
  /** The prompts that the model received, by question. */
  readonly prompts: ReadonlyMap<string, readonly DepartedPrompt[]>;
  /** The questions of which a client got something. */
  readonly heard: ReadonlySet<string>;
  /** Ids of receipts that clients were given. */
  readonly receipts: ReadonlySet<string>;
  addPrompt(prompt: Prompt): void;
  addPiece(question: string, piece: string): void;
  addReceipt(receipt: { readonly answerId: string }): void;
}

export function createDepartureLog(): DepartureLog {
  const history = createHistory();
  const prompts = new Map<string, DepartedPrompt[]>();
  const heard = new Set<string>();
  const receipts = new Set<string>();
  return {
    history,
    prompts,
    heard,
    receipts,
    addPrompt(prompt) {
      const { query, memories } = readPrompt(prompt);
      const departed = { prompt: { system: prompt.system, user: prompt.user }, isRecorded: false };
      prompts.set(query, [...(prompts.get(query) ?? []), departed]);
      history.used("prompt", agentOf(query), new Set(memories.map(({ namespace }) => namespace)));
    },
    addPiece(question, piece) {
      heard.add(question);
      history.used("answer", agentOf(question), namespacesIn(piece));
    },
    addReceipt: ({ answerId }) => void receipts.add(answerId),
  };
}

let questions = 0;

/** A question names its agent, and is asked once. */
export const newQuestion = (agentId: string) => `${agentId} ${++questions}`;
const agentOf = (question: string) => question.split(" ")[0] ?? "";

/** The answer of the model stand-in: it names the namespaces of the prompt, in many pieces. */
export function spellNamespaces(prompt: Prompt): string {
  const names = new Set(readPrompt(prompt).memories.map(({ namespace }) => `<${namespace}>`));
  return Array.from({ length: 10 }, () => `I was told of ${[...names].join(" ")}.`).join(" ");
}

const namespacesIn = (text: string) => [...text.matchAll(/<(\w+)>/g)].map(([, name = ""]) => name);
