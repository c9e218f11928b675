import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { regularly } from "./jobs.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("runs now and at the interval, goes on after a failure, and ends at the stop", async () => {
  const warn = vi.fn();
  const log = { info: vi.fn(), warn, error: vi.fn() };
  const error = new Error("down");
  const run = vi.fn().mockRejectedValueOnce(error).mockResolvedValue(undefined);
  const job = regularly({ intervalMs: 10, onFailure: [log, "could not do it"] }, run);
  await vi.advanceTimersByTimeAsync(20);
  expect(run).toHaveBeenCalledTimes(3);
  expect(warn.mock.calls).toEqual([[{ error }, "could not do it"]]);
  job.stop();
  await vi.advanceTimersByTimeAsync(20);
  expect(run).toHaveBeenCalledTimes(3);
});

test("failures in a row are told ever more rarely, and anew after a success", async () => {
  const warn = vi.fn();
  const run = vi.fn().mockRejectedValue(new Error("down"));
  const job = regularly({ intervalMs: 10, onFailure: [{ info: vi.fn(), warn, error: vi.fn() }, ""] }, run);
  await vi.advanceTimersByTimeAsync(990);
  expect(run).toHaveBeenCalledTimes(100);
  // 1, 2, 4, 8, 16, 32, 64.
  expect(warn).toHaveBeenCalledTimes(7);
  run.mockResolvedValueOnce(undefined);
  await vi.advanceTimersByTimeAsync(20);
  expect(warn).toHaveBeenCalledTimes(8);
  job.stop();
});

test("runs do not overlap, one that starts later waits, and the stop aborts the one under way without a word", async () => {
  const warn = vi.fn();
  const signals: AbortSignal[] = [];
  const job = regularly(
    { intervalMs: 10, startsLater: true, onFailure: [{ info: vi.fn(), warn, error: vi.fn() }, ""] },
    (signal) =>
      new Promise((_, reject) => {
        signals.push(signal);
        signal.addEventListener("abort", reject);
      }),
  );
  expect(signals).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(30);
  expect(signals).toHaveLength(1);
  job.stop();
  await vi.advanceTimersByTimeAsync(30);
  expect(signals[0]?.aborted).toBe(true);
  expect(warn).not.toHaveBeenCalled();
});
