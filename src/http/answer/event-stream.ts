// An answer as server-sent events: a `token` for each piece as it is made, and at the end one `answer`, which carries
// what the JSON route answers. `restart` voids the tokens so far: the policy changed, and the answer is made anew. What
// fails before the first event is an ordinary problem; later it is a `problem` event.
import type { Problem } from "#contract/problem.ts";
import type { Caller } from "#service/answers/caller.ts";
import { createHandover } from "./handover.ts";
import type { Outgoing } from "./response-writer.ts";

export const EVENT_STREAM = "text/event-stream";

export function wantsEvents(request: Request): boolean {
  return (request.headers.get("accept") ?? "").toLowerCase().includes(EVENT_STREAM);
}

interface Answering {
  /** Makes the answer. */
  run(caller: Caller): Promise<void>;
  readonly signal: AbortSignal;
  readonly outgoing: Outgoing;
  problemOf(error: unknown): Problem;
}

/** Resolves when there is something to send: by then the gate has decided. */
export async function answerEvents({ run, signal, outgoing, problemOf }: Answering): Promise<AsyncIterable<string>> {
  const { ready, give, end, texts } = createHandover(outgoing);
  const begun = Promise.withResolvers<void>();
  let hasBegun = false;

  function whenReady(): Promise<void> {
    hasBegun = true;
    begun.resolve();
    return ready();
  }

  const caller: Caller = {
    signal,
    listener: {
      ready: whenReady,
      write: (pieces) => give(pieces.map((text) => event("token", { text })).join("")),
      async restart() {
        await whenReady();
        await give(event("restart", {}));
      },
    },
    release: (answered) => give(event("answer", answered)),
  };

  void run(caller)
    .catch(async (error: unknown) => {
      if (!hasBegun) return begun.reject(error);
      if (signal.aborted) return;
      await ready();
      await give(event("problem", problemOf(error)));
    })
    .finally(end);

  await begun.promise;
  return texts;
}

/** JSON has no line ends, so one `data` line is enough. */
function event(name: "token" | "restart" | "answer" | "problem", data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
