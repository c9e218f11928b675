// Releases the pieces of an answer in their order, each behind the fence, as fast as the listener takes them. Pieces
// that come meanwhile pass together.
import type { Listener } from "./attempt.ts";

export interface Speech {
  say(piece: string): void;
  /** Ends when all that was said has been released, and the listener is ready for more. */
  spoken(): Promise<void>;
  /** Ends when nothing is being released: all has been, or it failed. */
  quiet(): Promise<void>;
  hasSpoken(): boolean;
}

interface Way {
  /** Aborts when nobody listens any more, or when nothing more may be said. */
  readonly signal: AbortSignal;
  pass(act: () => void | Promise<void>): Promise<void>;
  /** Told why a piece could not be released. */
  fail(error: unknown): void;
}

export function speechTo(listener: Listener, { signal, pass, fail }: Way): Speech {
  let waiting: string[] = [];
  let speaking: Promise<void> | undefined;
  let hasSpoken = false;

  function release(): void | Promise<void> {
    const pieces = waiting;
    waiting = [];
    hasSpoken = true;
    return listener.tell(pieces);
  }

  async function speak(): Promise<void> {
    try {
      while (waiting.length > 0) {
        await beforeAbort(listener.ready(), signal);
        await pass(release);
      }
    } catch (error) {
      fail(error);
    } finally {
      speaking = undefined;
    }
  }

  return {
    say(piece) {
      waiting.push(piece);
      speaking ??= speak();
    },
    async spoken() {
      await speaking;
      await beforeAbort(listener.ready(), signal);
    },
    async quiet() {
      await speaking;
    },
    hasSpoken: () => hasSpoken,
  };
}

function beforeAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) return leave();
    signal.addEventListener("abort", leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
