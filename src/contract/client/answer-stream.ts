import { type Problem, ProblemError } from "#contract/problem.ts";
import type { Reply } from "#contract/routes.ts";
import { parseEventStream } from "./event-stream-parser.ts";

export interface AnswerListener {
  /** Called with each piece of the answer as it is made. */
  readonly onText: (piece: string) => void;
  /** The pieces so far are void: the policy changed, and the answer is made again without what is closed now. */
  readonly onRestart?: (() => void) | undefined;
}

type Answered = Reply<"chat" | "companion">;

/** Reads an answer from its event stream. The result is the answer; the pieces are only its preview. */
export async function readAnswer(response: Response, { onText, onRestart }: AnswerListener): Promise<Answered> {
  if (response.body !== null) {
    for await (const { name, data } of parseEventStream(response.body)) {
      if (name === "token") onText((JSON.parse(data) as { text: string }).text);
      if (name === "restart") onRestart?.();
      if (name === "answer") return JSON.parse(data) as Answered;
      if (name === "problem") throw new ProblemError(JSON.parse(data) as Problem);
    }
  }
  throw new Error("The answer broke off. It was not released.");
}
