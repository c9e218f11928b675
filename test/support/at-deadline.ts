// Virtual time for tests of deadlines, so that they do not depend on how busy the machine is.
import { expect, vi } from "vitest";

/**
 * Runs `work` in virtual time. When `isReady`, `ms` milliseconds pass. Expects that the work is still under way one
 * millisecond before that, and returns its result.
 */
export async function atDeadline<T>(ms: number, isReady: () => boolean, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    let isSettled = false;
    const result = work().finally(() => {
      isSettled = true;
    });
    result.catch(() => undefined);
    while (!isReady()) await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(isSettled).toBe(false);
    // All timers that are due fire before anything else happens.
    vi.advanceTimersByTime(1);
    return await result;
  } finally {
    vi.useRealTimers();
  }
}
