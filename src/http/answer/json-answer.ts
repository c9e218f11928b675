import type { Answered } from "#service/answers/answered.ts";
import type { Caller } from "#service/answers/caller.ts";
import { type Outgoing, sent } from "./response-writer.ts";

/** An answer in one piece: released when the operating system has it. */
export function answerWhole(
  run: (caller: Caller) => Promise<void>,
  { signal, outgoing }: { signal: AbortSignal; outgoing: Outgoing },
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const release = (answered: Answered) => {
      resolve(answered);
      return sent(outgoing);
    };
    run({ signal, release }).catch(reject);
  });
}
