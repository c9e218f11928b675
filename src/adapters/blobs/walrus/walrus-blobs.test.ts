import { expect, test, vi } from "vitest";
import { withDeadline } from "#async/with-deadline.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Result } from "./parse-response.ts";
import { retryEndpoints } from "./walrus-blobs.ts";

const DEADLINE_MS = 1_000;
const ERROR = new PortcullisError("blob-store-failed", "down");
const RETRY: Result<string> = { kind: "retry", error: ERROR };
const OK: Result<string> = { kind: "ok", value: "bytes" };

/** Answers each call of an endpoint with the next of its results, and hangs when there is none. */
function scripted(script: Record<string, Result<string>[]>) {
  const asked: string[] = [];
  const pauses: number[] = [];
  const retries = { tries: 3, pauseMs: 10, random: () => 1, sleep: async (ms: number) => void pauses.push(ms) };
  const ask = async (endpoint: string) => {
    asked.push(endpoint);
    return script[endpoint]?.shift() ?? new Promise<never>(() => undefined);
  };
  const result = withDeadline(DEADLINE_MS, (deadline) => retryEndpoints(Object.keys(script), ask, retries, deadline));
  return { asked, pauses, result };
}

test("asks only those again that may succeed later, with pauses that double", async () => {
  const absent: Result<string> = { kind: "absent" };
  const { asked, pauses, result } = scripted({ a: [RETRY, RETRY, OK], b: [absent] });
  expect(await result).toBe("bytes");
  expect(asked).toEqual(["a", "b", "a", "a"]);
  expect(pauses).toEqual([10, 20]);
});

test("adds the jitter to the shortest Retry-After", async () => {
  const { pauses, result } = scripted({
    a: [{ ...RETRY, retryAfterMs: 500 }, OK],
    b: [{ ...RETRY, retryAfterMs: 300 }],
  });
  await result;
  expect(pauses).toEqual([310]);
});

test("gives up after the last try, after a failure that is final, and when the pause would outlast the deadline", async () => {
  const exhausted = scripted({ a: [RETRY, RETRY, RETRY, OK] });
  await expect(exhausted.result).rejects.toBe(ERROR);
  expect(exhausted.asked).toHaveLength(3);
  const final = scripted({ a: [{ kind: "failed", error: ERROR }, OK] });
  await expect(final.result).rejects.toBe(ERROR);
  const tooLong = scripted({ a: [{ ...RETRY, retryAfterMs: DEADLINE_MS }, OK] });
  await expect(tooLong.result).rejects.toBe(ERROR);
  expect([final, tooLong].flatMap(({ pauses }) => pauses)).toEqual([]);
});

test("an endpoint that hangs gets an equal share of the time, and the next one is asked after it", async () => {
  vi.useFakeTimers();
  try {
    const { asked, result } = scripted({ a: [], b: [], c: [OK] });
    await vi.advanceTimersByTimeAsync(DEADLINE_MS / 3 - 1);
    expect(asked).toEqual(["a"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toEqual(["a", "b"]);
    await vi.advanceTimersByTimeAsync(DEADLINE_MS / 3 + 1);
    expect(asked).toEqual(["a", "b", "c"]);
    expect(await result).toBe("bytes");
  } finally {
    vi.useRealTimers();
  }
});
