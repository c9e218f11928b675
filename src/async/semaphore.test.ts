import { expect, test } from "vitest";
import { createSemaphore } from "./semaphore.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("never runs more jobs at a time than it has permits, and runs all of them in the end, also when some fail", async () => {
  const semaphore = createSemaphore(3);
  let [now, most] = [0, 0];
  const job = async (n: number) => {
    now += 1;
    most = Math.max(most, now);
    await turn();
    now -= 1;
    if (n % 4 === 0) throw new Error(String(n));
    return n;
  };
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => semaphore.run(() => job(n))));
  expect(most).toBe(3);
  expect(results.map(({ status }) => status === "fulfilled")).toEqual(results.map((_, n) => n % 4 !== 0));
  expect(await semaphore.run(async () => "again")).toBe("again");
});

test("starts waiting jobs in the order in which they came", async () => {
  const semaphore = createSemaphore(2);
  const began: number[] = [];
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const all = gates.map(({ promise }, i) =>
    semaphore.run(() => {
      began.push(i);
      return promise;
    }),
  );
  await turn();
  expect(began).toEqual([0, 1]);
  gates[1]?.resolve();
  await turn();
  expect(began).toEqual([0, 1, 2]);
  for (const gate of gates) gate.resolve();
  await Promise.all(all);
  expect(began).toEqual([0, 1, 2, 3, 4]);
});

test("a job that is aborted while it waits leaves the line, and the permit of a failed job is free again", async () => {
  const semaphore = createSemaphore(1);
  const gate = Promise.withResolvers<void>();
  const first = semaphore.run(() => gate.promise);
  const controller = new AbortController();
  const second = semaphore.run(() => expect.unreachable(), controller.signal);
  const third = semaphore.run(async () => "third");
  controller.abort("gone");
  await expect(second).rejects.toBe("gone");
  gate.reject("failed");
  await expect(first).rejects.toBe("failed");
  expect(await third).toBe("third");
  expect(await semaphore.run(async () => "free")).toBe("free");
});

test("tryRun runs a job only if a permit is free at once, and frees the permit also after a failure", async () => {
  const semaphore = createSemaphore(1);
  const gate = Promise.withResolvers<string>();
  const first = semaphore.tryRun(() => gate.promise);
  expect(semaphore.tryRun(() => expect.unreachable())).toBeUndefined();
  gate.resolve("first");
  expect(await first).toBe("first");
  await expect(semaphore.tryRun(() => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  expect(await semaphore.tryRun(async () => "free")).toBe("free");
});

test("a job that finds the line full is rejected at once, and those in line are not", async () => {
  const semaphore = createSemaphore(1, { most: 1, onFull: () => "full" });
  const gate = Promise.withResolvers<string>();
  const first = semaphore.run(() => gate.promise);
  const second = semaphore.run(async () => "second");
  await expect(semaphore.run(() => expect.unreachable())).rejects.toBe("full");
  gate.resolve("first");
  expect(await Promise.all([first, second])).toEqual(["first", "second"]);
  expect(await semaphore.run(async () => "free")).toBe("free");
});
