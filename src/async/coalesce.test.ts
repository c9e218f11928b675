import { expect, test } from "vitest";
import { coalesce } from "./coalesce.ts";

test("every call gets a run that began after it, and calls that wait share one", async () => {
  const started: (() => void)[] = [];
  const run = coalesce(() => new Promise((resolve) => started.push(resolve)));
  const first = run();
  const [second, third] = [run(), run()];
  expect(started.length).toBe(1);
  started[0]?.();
  await first;
  await Promise.resolve();
  expect(started.length).toBe(2);
  started[1]?.();
  await Promise.all([second, third]);
  expect(started.length).toBe(2);
});

test("a run that fails fails its callers and not the next ones", async () => {
  let failing = true;
  const run = coalesce(async () => {
    if (failing) throw new Error("once");
  });
  const [first, second] = [run(), run()];
  await expect(first).rejects.toThrow("once");
  await expect(second).rejects.toThrow("once");
  failing = false;
  await expect(run()).resolves.toBeUndefined();
});
