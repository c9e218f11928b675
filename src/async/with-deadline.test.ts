import { expect, test, vi } from "vitest";
import { DeadlineExceeded, orAfter, untilAborted, withDeadline } from "./with-deadline.ts";

const forever = new Promise<never>(() => undefined);

test("work that ends in time gives its outcome, and the timer goes with it", async () => {
  vi.useFakeTimers();
  try {
    expect(await withDeadline(1_000, async () => "done")).toBe("done");
    await expect(withDeadline(1_000, async () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test("work that ignores its signal is left when the time is up, with the error that the caller chose", async () => {
  let seen: AbortSignal | undefined;
  const work = withDeadline(1, ({ signal }) => {
    seen = signal;
    return forever;
  });
  await expect(work).rejects.toBeInstanceOf(DeadlineExceeded);
  expect(seen?.aborted).toBe(true);
  const onTimeout = () => new Error("too slow");
  await expect(withDeadline(1, () => forever, { onTimeout })).rejects.toThrow("too slow");
});

test("the outer signal ends the work with its own reason, before it begins or later", async () => {
  const controller = new AbortController();
  const work = withDeadline(60_000, () => forever, { signal: controller.signal });
  controller.abort("left");
  await expect(work).rejects.toBe("left");
  const late = withDeadline(60_000, async () => expect.unreachable(), { signal: controller.signal });
  await expect(late).rejects.toBe("left");
});

test("untilAborted settles as the work does, or rejects with the reason", async () => {
  const controller = new AbortController();
  expect(await untilAborted(controller.signal, Promise.resolve(1))).toBe(1);
  controller.abort("over");
  await expect(untilAborted(controller.signal, forever)).rejects.toBe("over");
});

test("orAfter gives the fallback when the work takes longer", async () => {
  expect(await orAfter(60_000, Promise.resolve(1), null)).toBe(1);
  expect(await orAfter(1, forever, null)).toBeNull();
});
