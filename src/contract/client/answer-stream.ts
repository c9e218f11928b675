import { type Problem, ProblemError } from "#contract/problem.ts";
import type { GateEvent, Reply } from "#contract/routes.ts";
import { parseEventStream } from "./body-streams.ts";
import { ConnectionError } from "./send-request.ts";

export interface AnswerListener {
  /** Called before the model is asked, again after a restart, and again if the model needs a shorter prompt. */
  readonly onGate?: ((gate: GateEvent) => void) | undefined;
  readonly onText: (piece: string) => void;
  /** All so far is void: the policy changed, and the answer is made again without what is closed now. */
  readonly onRestart?: (() => void) | undefined;
}

type Answered = Reply<"chat" | "companion">;

/** Reads an answer from its event stream. The result is the answer; the pieces are only its preview. */
export async function readAnswer(response: Response, { onGate, onText, onRestart }: AnswerListener): Promise<Answered> {
  if (response.body !== null) {
    for await (const { name, data } of parseEventStream(response.body)) {
      if (name === "gate") onGate?.(JSON.parse(data) as GateEvent);
      if (name === "token") onText((JSON.parse(data) as { text: string }).text);
      if (name === "restart") onRestart?.();
      if (name === "answer") return JSON.parse(data) as Answered;
      if (name === "problem") throw new ProblemError(JSON.parse(data) as Problem);
    }
  }
  throw new ConnectionError("broken-off", "The answer broke off. It was not released.");
}
