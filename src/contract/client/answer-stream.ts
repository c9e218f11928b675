import { type Problem, ProblemError } from "#contract/problem.ts";
import type { Reply } from "#contract/routes.ts";
import { eventsIn } from "./server-sent-events.ts";

export interface Telling {
  /** Called with each piece of the answer as it is made. */
  readonly onText: (piece: string) => void;
  /** What was told so far is void: the policy changed, and the answer is made anew without what is closed now. */
  readonly onRestart?: (() => void) | undefined;
}

type Answered = Reply<"chat" | "companion">;

/** The answer out of a stream of events. What it resolves with counts, whatever the pieces were. */
export async function answerFrom(response: Response, { onText, onRestart }: Telling): Promise<Answered> {
  if (response.body !== null) {
    for await (const { name, data } of eventsIn(response.body)) {
      if (name === "token") onText((JSON.parse(data) as { text: string }).text);
      if (name === "restart") onRestart?.();
      if (name === "answer") return JSON.parse(data) as Answered;
      if (name === "problem") throw new ProblemError(JSON.parse(data) as Problem);
    }
  }
  throw new Error("The answer broke off. It was not released.");
}
