import { vi } from "vitest";

/** Repeats `check` until it does not throw. The limit only ends a test that hangs: that of Vitest is one second. */
export const waitFor = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 60_000, interval: 5 });
