// Where a producer meets a client that reads: something is given only when the client waits for it, so that nothing
// lies about in between. The producer learns that the client is ready, decides, and gives.
import { type Outgoing, taken, written } from "./response-writer.ts";

export interface Handover {
  /** Ends when the client waits, and has taken all that it was given. */
  ready(): Promise<void>;
  /** Gives the text to the client that waits, and ends when it has left our hands. */
  give(text: string): Promise<void>;
  end(): void;
  /** What the client reads. */
  readonly texts: AsyncIterable<string>;
}

export function createHandover(outgoing: Outgoing): Handover {
  let wanted = Promise.withResolvers<void>();
  let take: ((result: IteratorResult<string, undefined>) => void) | undefined;
  let ended = false;

  const done = { done: true, value: undefined } as const;
  const texts = {
    next(): Promise<IteratorResult<string, undefined>> {
      if (ended) return Promise.resolve(done);
      return new Promise((resolve) => {
        take = resolve;
        wanted.resolve();
      });
    },
    async return() {
      return done;
    },
  };

  function hand(result: IteratorResult<string, undefined>): void {
    wanted = Promise.withResolvers<void>();
    take?.(result);
    take = undefined;
  }

  return {
    async ready() {
      await wanted.promise;
      await taken(outgoing);
    },
    give(text) {
      hand({ done: false, value: text });
      return written(outgoing);
    },
    end() {
      ended = true;
      if (take !== undefined) hand(done);
    },
    texts: { [Symbol.asyncIterator]: () => texts },
  };
}
