import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readBodyChunks } from "./body.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;

/** Reads a body that comes in pieces of so many bytes, each so long after the one before it was taken. */
async function minutesOf(pieces: number, { bytes, ms }: { bytes: number; ms: number }) {
  let left = pieces;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(stream) {
        await new Promise((resolve) => setTimeout(resolve, ms));
        if (left-- > 0) stream.enqueue(new Uint8Array(bytes));
        else stream.close();
      },
    },
    { highWaterMark: 0 },
  );
  const init = { method: "POST", body, duplex: "half", headers: { "content-type": "application/x-ndjson" } };
  const begun = performance.now();
  const reading = Array.fromAsync(readBodyChunks(new Request("http://localhost", init as RequestInit))).then(
    (chunks) => ({ chunks: chunks.length }),
    ({ code }) => ({ code }),
  );
  let isRead = false;
  void reading.then(() => {
    isRead = true;
  });
  while (!isRead) await vi.advanceTimersByTimeAsync(MINUTE / 2);
  return { ...(await reading), minutes: Math.floor((performance.now() - begun) / MINUTE) };
}

test("an upload that trickles ends, however seldom it is silent for long", async () => {
  expect(await minutesOf(10_000, { bytes: 1, ms: 50_000 })).toEqual({ code: "malformed-http", minutes: 30 });
  expect(await minutesOf(10_000, { bytes: 64 * 1024, ms: 10_000 })).toMatchObject({ code: "malformed-http" });
});

test("an upload that is silent for a minute ends", async () => {
  expect(await minutesOf(2, { bytes: 1024 ** 2, ms: 70_000 })).toEqual({ code: "malformed-http", minutes: 1 });
});

test("an upload at a megabit a second goes on for as long as it takes", async () => {
  expect(await minutesOf(2_000, { bytes: 1024 ** 2, ms: 8_000 })).toEqual({ chunks: 2_000, minutes: 267 });
});
