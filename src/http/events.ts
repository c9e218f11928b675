// An answer as server-sent events: a `token` for each piece as it is made, and at the end one `answer`, which carries
// what the JSON route answers. What fails before the first piece is an ordinary problem; later it is a `problem` event.
import type { Problem } from "../contract/problem.ts";

export const EVENT_STREAM = "text/event-stream";

export function wantsEvents(request: Request): boolean {
  return (request.headers.get("accept") ?? "").toLowerCase().includes(EVENT_STREAM);
}

interface Answering {
  /** Makes the answer, telling each piece. */
  run(onText: (piece: string) => void): Promise<unknown>;
  problemOf(error: unknown): Problem;
}

/** Resolves when there is something to send: by then the gate has decided. */
export async function answerEvents({ run, problemOf }: Answering): Promise<AsyncIterable<string>> {
  const waiting: string[] = [];
  let news = Promise.withResolvers<void>();
  let ended = false;
  let failure: { error: unknown } | undefined;

  function tell(name: "token" | "answer", data: unknown): void {
    waiting.push(event(name, data));
    news.resolve();
  }

  void run((text) => tell("token", { text }))
    .then((answer) => tell("answer", answer))
    .catch((error: unknown) => {
      failure = { error };
    })
    .finally(() => {
      ended = true;
      news.resolve();
    });

  async function* events(): AsyncGenerator<string> {
    while (waiting.length > 0 || !ended) {
      await news.promise;
      news = Promise.withResolvers<void>();
      if (ended) news.resolve();
      // Pieces that came together travel together.
      const text = waiting.splice(0).join("");
      if (text !== "") yield text;
    }
    if (failure !== undefined) yield event("problem", problemOf(failure.error));
  }

  await news.promise;
  if (failure !== undefined && waiting.length === 0) throw failure.error;
  return events();
}

/** JSON has no line ends, so one `data` line is enough. */
function event(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
