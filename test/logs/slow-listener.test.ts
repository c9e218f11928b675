import { expect, test, vi } from "vitest";
import { NEVER_ABORTS } from "#async/with-deadline.ts";
import { sendEventFeed } from "#http/answer/send-answer.ts";
import type { Exchange } from "#http/exchange.ts";

test("A listener that takes nothing is cut within a second, with one write under way at most", async () => {
  vi.useFakeTimers();
  const gone = new AbortController();
  let writes = 0;
  const response = {
    turn: async () => undefined,
    hasBegun: () => false,
    begin: () => undefined,
    signal: () => gone.signal,
    write: () => {
      writes += 1;
      return new Promise<void>(() => undefined);
    },
    cut: () => gone.abort(),
    end: () => undefined,
  };
  const exchange = { request: new Request("http://localhost/api/events"), response } as unknown as Exchange;
  const sending = sendEventFeed(exchange, async (sink) => {
    while (!sink.signal.aborted) await sink.send([{ id: "1", name: "memory-forgotten", data: {} }], NEVER_ABORTS);
  });
  await vi.advanceTimersByTimeAsync(1_000);
  await sending;
  expect(gone.signal.aborted).toBe(true);
  expect(writes).toBe(1);
  vi.useRealTimers();
});
