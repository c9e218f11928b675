// How long an answer waits for a client that does not read.

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { NEVER_ABORTS } from "#async/with-deadline.ts";
import { type AnswerSink, sendAnswer } from "#http/answer/send-answer.ts";
import type { Exchange } from "#http/exchange.ts";
import type { Caller, Listener } from "#service/answers/caller.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Gives the caller of an answer whose client never takes anything, and says whether it was cut off. */
async function callerOf(accept: string) {
  let isCutOff = false;
  let hasBegun = false;
  const forever = () => {
    hasBegun = true;
    return new Promise<void>(() => undefined);
  };
  const exchange = {
    request: new Request("http://127.0.0.1/api/chat", { headers: { accept } }),
    response: {
      hasBegun: () => hasBegun,
      signal: () => new AbortController().signal,
      turn: async () => undefined,
      send: forever,
      begin: () => undefined,
      write: forever,
      cut() {
        isCutOff = true;
      },
    },
  } as unknown as Exchange;
  const caller = await new Promise<Caller>((resolve) => {
    void sendAnswer(exchange, (given) => {
      resolve(given);
      return new Promise(() => undefined);
    });
  });
  return { caller, isCutOff: () => isCutOff };
}

describe("An answer as events", () => {
  async function streamOf() {
    const written: string[] = [];
    let take = (): void => undefined;
    const exchange = {
      request: new Request("http://127.0.0.1/api/chat", { headers: { accept: "text/event-stream" } }),
      response: {
        hasBegun: () => written.length > 0,
        signal: () => new AbortController().signal,
        turn: async () => undefined,
        begin: () => undefined,
        write(text: string) {
          written.push(text);
          return new Promise<void>((resolve) => {
            take = resolve;
          });
        },
        end: () => undefined,
      },
      reportFailure: () => ({ code: "internal" }),
    } as unknown as Exchange;
    const over = Promise.withResolvers<void>();
    const sink = await new Promise<AnswerSink>((resolve) => {
      sendAnswer(exchange, (given) => {
        resolve(given);
        return over.promise;
      }).catch(() => undefined);
    });
    return { sink, written, take: () => take(), end: over.resolve, fail: over.reject };
  }

  test("has a comment at once and every 15 s, whatever else is sent, until it ends", async () => {
    const { sink, written, take, end } = await streamOf();
    sink.begin();
    expect(written).toEqual([": \n\n"]);
    take();
    await vi.advanceTimersByTimeAsync(14_000);
    const restarted = sink.listener?.restart();
    take();
    await restarted;
    await vi.advanceTimersByTimeAsync(999);
    expect(written).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(written.at(-1)).toBe(": \n\n");
    take();
    end();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(written).toHaveLength(3);
  });

  test("ends with the answer, also when something fails after it", async () => {
    const { sink, written, take, fail } = await streamOf();
    const released = sink.release(ANSWERED, NEVER_ABORTS);
    take();
    await released;
    fail(new Error("the key could not be recorded"));
    await vi.advanceTimersByTimeAsync(0);
    expect(written).toEqual([expect.stringContaining("event: answer")]);
  });

  test("has no further comment while the client has yet to take the last one", async () => {
    const { sink, written } = await streamOf();
    sink.begin();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(written).toHaveLength(1);
  });
});

const PIECES = ["Fish"] as readonly string[] as Parameters<Listener["write"]>[0];
const ANSWERED = { answer: "Fish." } as Parameters<Caller["release"]>[0];

describe("A client that takes nothing is cut off", () => {
  test.for(["application/json", "text/event-stream"])("1 s after an answer was released: %s", async (accept) => {
    const { caller, isCutOff } = await callerOf(accept);
    const released = caller.release(ANSWERED, NEVER_ABORTS);
    await vi.advanceTimersByTimeAsync(999);
    expect(isCutOff()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await released;
    expect(isCutOff()).toBe(true);
  });

  test("1 s after a piece was released", async () => {
    const { caller, isCutOff } = await callerOf("text/event-stream");
    const told = caller.listener?.write(PIECES, NEVER_ABORTS);
    await vi.advanceTimersByTimeAsync(999);
    expect(isCutOff()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await told;
    expect(isCutOff()).toBe(true);
  });
});
