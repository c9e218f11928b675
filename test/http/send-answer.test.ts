// How long an answer waits for a client that does not read.

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { NEVER_ABORTS } from "#async/never-aborts.ts";
import { sendAnswer } from "#http/answer/send-answer.ts";
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

  test("60 s after an answer was restarted, because no fence is held then", async () => {
    const { caller, isCutOff } = await callerOf("text/event-stream");
    const restarted = caller.listener?.restart();
    await vi.advanceTimersByTimeAsync(59_999);
    expect(isCutOff()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await restarted;
    expect(isCutOff()).toBe(true);
  });
});
