import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fetchBlob } from "./blob-store.ts";

const BYTES = Uint8Array.of(1, 2, 3);
const stored = () => new Response(BYTES);
const refused = (status: number, headers = {}) => new Response("Try later.", { status, headers });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A store that gives these answers, one after the other, and the last one for ever. */
function storeWith(...answers: readonly (() => Response)[]) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string, { signal }: RequestInit) => {
    signal?.throwIfAborted();
    asked.push(url);
    return answers[Math.min(asked.length, answers.length) - 1]?.();
  });
  return asked;
}

/** What the fetch came to, with all the pauses that it took. */
async function fetched(signal = new AbortController().signal) {
  const ending = fetchBlob("https://store.test", "id", signal);
  // Not all timers: those of other tests in this process may go on for ever.
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  return ending;
}

describe("a blob", () => {
  test.for<[what: string, answer: () => Response]>([
    [
      "the connection broke",
      () => {
        throw new TypeError("Failed to fetch");
      },
    ],
    [
      "the connection broke in the middle of the bytes",
      () => new Response(new ReadableStream({ start: (body) => body.error(new TypeError("network error")) })),
    ],
    ["the store had too many requests", () => refused(429, { "retry-after": "2" })],
    ["the store was unavailable for a moment", () => refused(503)],
  ])("is asked for again after %s", async ([, answer]) => {
    const asked = storeWith(answer, stored);
    expect(await fetched()).toEqual(BYTES);
    expect(asked).toEqual(Array(2).fill("https://store.test/v1/blobs/id"));
  });

  test("that the store does not have is missing, and not asked for again", async () => {
    const asked = storeWith(() => refused(404), stored);
    expect(await fetched()).toBe("missing");
    expect(asked).toHaveLength(1);
  });

  test("is unreachable when the store goes on to refuse, or would for longer than the deadline", async () => {
    const asked = storeWith(() => refused(503));
    expect(await fetched()).toBe("unreachable");
    expect(asked).toHaveLength(3);
    const askedOnce = storeWith(() => refused(429, { "retry-after": "60" }));
    expect(await fetched()).toBe("unreachable");
    expect(askedOnce).toHaveLength(1);
  });

  test("is not asked for again when the reader has left", async () => {
    const left = new AbortController();
    const asked = storeWith(() => {
      left.abort();
      throw new TypeError("Failed to fetch");
    }, stored);
    expect(await fetched(left.signal)).toBe("unreachable");
    expect(asked).toHaveLength(1);
  });
});
