// The thread that runs the sentence model, one text at a time. A thread that crashed or hangs is replaced when the next
// text comes; after several failures in a row, not before a pause that grows.
import { once } from "node:events";
import { withDeadline } from "#async/with-deadline.ts";
import { PortcullisError } from "#core/errors.ts";

/** The model is read and converted at start, some 45 MB. */
const START_MS = 60_000;
/** A text of the largest size takes about a second. */
const TEXT_MS = 30_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** The part of a worker thread that is used. It posts a message when it is ready, and then one for each text. */
export interface Thread extends NodeJS.EventEmitter {
  postMessage(text: string): void;
  terminate(): Promise<unknown>;
}

interface Options {
  readonly start: () => Thread;
  /** Milliseconds on any clock that does not go back. */
  readonly now?: () => number;
}

export function createModelThread({ start, now = () => performance.now() }: Options) {
  let current: { thread: Thread; ready: Promise<unknown> } | undefined;
  let failuresInARow = 0;
  let notBefore = Number.NEGATIVE_INFINITY;
  let isClosed = false;

  function launch() {
    const thread = start();
    const launched = { thread, ready: withDeadline(START_MS, () => messageOf(thread)) };
    // Whoever waits for it sees the failure. Nobody may wait.
    launched.ready.catch(() => undefined);
    thread.once("exit", () => {
      if (current === launched) current = undefined;
    });
    // A crash between two texts. Without a listener it would end the process.
    thread.on("error", () => undefined);
    return launched;
  }

  async function fail(thread: Thread): Promise<never> {
    current = undefined;
    notBefore = now() + Math.min(FIRST_PAUSE_MS * 2 ** failuresInARow, LONGEST_PAUSE_MS);
    failuresInARow += 1;
    await thread.terminate();
    // The cause may quote the text.
    throw new PortcullisError("internal", "The sentence model failed, and starts again.");
  }

  return {
    /** Starts the thread before the first text comes. */
    warmUp(): void {
      current ??= launch();
    },

    /** Not to be called before the previous call has settled. */
    async run(text: string): Promise<Int8Array> {
      if (isClosed || (current === undefined && now() < notBefore))
        throw new PortcullisError("internal", "The sentence model is not running.");
      current ??= launch();
      const { thread, ready } = current;
      try {
        await ready;
        const answer = withDeadline(TEXT_MS, () => messageOf(thread));
        thread.postMessage(text);
        const vector = await answer;
        failuresInARow = 0;
        return vector as Int8Array;
      } catch {
        return fail(thread);
      }
    },

    async close(): Promise<void> {
      isClosed = true;
      await current?.thread.terminate();
    },
  };
}

/** The next message. Rejects when the thread crashes or ends before. */
async function messageOf(thread: Thread): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  try {
    // `once` rejects on an "error" event.
    const [message] = await Promise.race([
      once(thread, "message", { signal }),
      once(thread, "exit", { signal }).then(() => Promise.reject(new Error("The thread has ended."))),
    ]);
    return message;
  } finally {
    over.abort();
  }
}
