import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { memoryQuotas } from "./memory-quotas.ts";

const QUOTA = { name: "q", points: 2, seconds: 60 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("points come back when the window ends, and not before", async () => {
  const { take } = memoryQuotas();
  expect(await take(QUOTA, "ada")).toEqual({ isGranted: true, remaining: 1, resetMs: 60_000 });
  vi.advanceTimersByTime(20_000);
  expect(await take(QUOTA, "ada")).toEqual({ isGranted: true, remaining: 0, resetMs: 40_000 });
  vi.advanceTimersByTime(39_000);
  expect(await take(QUOTA, "ada")).toEqual({ isGranted: false, remaining: 0, resetMs: 1_000 });
  vi.advanceTimersByTime(1_000);
  expect(await take(QUOTA, "ada")).toMatchObject({ isGranted: true, remaining: 1 });
});

test("no more callers are remembered than the bound, and the newest are", async () => {
  const { take } = memoryQuotas({ maxCallers: 2 });
  const one = { ...QUOTA, points: 1 };
  for (const caller of ["a", "b", "c"]) await take(one, caller);
  expect(await take(one, "c")).toMatchObject({ isGranted: false });
  expect(await take(one, "b")).toMatchObject({ isGranted: false });
  expect(await take(one, "a")).toMatchObject({ isGranted: true });
  expect(vi.getTimerCount()).toBe(2);
});
