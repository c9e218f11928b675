import { expect, test } from "vitest";
import { createReadersWriterLock } from "./readers-writer-lock.ts";

const OPTIONS = { graceMs: 100, onAwaited: () => new Error("another job waits") };
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("shared jobs run together, and an exclusive job waits for those before it and holds up those after it", async () => {
  const lock = createReadersWriterLock(OPTIONS);
  const log: string[] = [];
  const gates = {
    a: Promise.withResolvers<void>(),
    b: Promise.withResolvers<void>(),
    x: Promise.withResolvers<void>(),
  };
  const job = (name: keyof typeof gates) => async () => {
    log.push(`${name} begins`);
    await gates[name].promise;
    log.push(`${name} ends`);
  };
  const all = [
    lock.shared(job("a")),
    lock.shared(job("b")),
    lock.exclusive(job("x")),
    lock.shared(() => log.push("c")),
  ];
  await turn();
  expect(log).toEqual(["a begins", "b begins"]);
  gates.a.resolve();
  await turn();
  expect(log).not.toContain("x begins");
  gates.b.resolve();
  await turn();
  expect(log.slice(2)).toEqual(["a ends", "b ends", "x begins"]);
  gates.x.resolve();
  await Promise.all(all);
  expect(log.slice(5)).toEqual(["x ends", "c"]);
});

test("exclusive jobs never overlap and keep their order, and a job that fails holds nobody up", async () => {
  const lock = createReadersWriterLock(OPTIONS);
  const log: string[] = [];
  const failing = lock.exclusive(async () => {
    await turn();
    log.push("first");
    throw new Error("no");
  });
  const failingShared = lock.shared(() => Promise.reject(new Error("shared")));
  const second = lock.exclusive(async () => void log.push("second"));
  await expect(failing).rejects.toThrow("no");
  await expect(failingShared).rejects.toThrow("shared");
  await second;
  expect(log).toEqual(["first", "second"]);
  expect(await lock.shared(() => "done")).toBe("done");
});
