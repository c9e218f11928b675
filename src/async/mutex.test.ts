import { expect, test } from "vitest";
import { createMutex } from "./semaphore.ts";

test("jobs of one name never overlap and keep their order, other names run beside them, and a failure holds nobody up", async () => {
  const exclusively = createMutex();
  const log: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = exclusively("a", async () => {
    log.push("a1 begins");
    await gate.promise;
    throw new Error("a1");
  });
  const second = exclusively("a", async () => void log.push("a2"));
  await exclusively("b", async () => void log.push("b"));
  expect(log).toEqual(["a1 begins", "b"]);
  gate.resolve();
  await expect(first).rejects.toThrow("a1");
  await second;
  expect(log).toEqual(["a1 begins", "b", "a2"]);
});
