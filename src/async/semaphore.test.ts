import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSemaphore, inTenant, type Semaphore } from "./semaphore.ts";

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
  const second = semaphore.run(() => expect.unreachable(), { signal: controller.signal });
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

describe("Among callers,", () => {
  /** Jobs that say who has begun, in which order, and end when they are told to. */
  function jobsOn(semaphore: Semaphore) {
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const start = (caller: string) => {
      const job = () => {
        begun.push(caller);
        return new Promise<void>((resolve) => ends.push(resolve));
      };
      return semaphore.run(job, { caller });
    };
    return {
      begun,
      start,
      async endOne() {
        ends.shift()?.();
        await turn();
      },
    };
  }

  test("the next permit goes to whoever has the fewest jobs running", async () => {
    const { start, endOne, begun } = jobsOn(createSemaphore(3));
    for (const caller of ["a", "a", "a", "a", "a", "b", "c"]) void start(caller);
    await turn();
    expect(begun).toEqual(["a", "a", "a"]);
    for (let i = 0; i < 4; i++) await endOne();
    expect(begun).toEqual(["a", "a", "a", "b", "c", "a", "a"]);
  });

  test("those who have equally many take turns", async () => {
    const { start, endOne, begun } = jobsOn(createSemaphore(1));
    for (const caller of ["a", "a", "a", "b", "b", "c"]) void start(caller);
    await turn();
    for (let i = 0; i < 5; i++) await endOne();
    expect(begun).toEqual(["a", "a", "b", "c", "a", "b"]);
  });

  test("a full line makes room for one who has fewer jobs, at the cost of the last of who has the most", async () => {
    const semaphore = createSemaphore(1, { most: 2, onFull: () => "full" });
    const { start, endOne, begun } = jobsOn(semaphore);
    const running = start("a");
    const second = start("a");
    const third = start("a");
    await expect(start("a")).rejects.toBe("full");
    expect(() => semaphore.requireRoom("a")).toThrow("full");
    semaphore.requireRoom("b");
    const other = start("b");
    await expect(third).rejects.toBe("full");
    await endOne();
    await endOne();
    await endOne();
    await Promise.all([running, second, other]);
    expect(begun.toSorted()).toEqual(["a", "a", "b"]);
    expect([semaphore.running(), semaphore.waiting()]).toEqual([0, 0]);
  });

  test("whatever comes, ends and goes away, nobody with fewer jobs running is passed over, and nothing is lost", async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ does: fc.constant("start" as const), caller: fc.nat({ max: 3 }) }) },
      fc.record({ does: fc.constant("end" as const), which: fc.nat() }),
      fc.record({ does: fc.constant("leave" as const), which: fc.nat() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const semaphore = createSemaphore(3, { most: 5, onFull: () => "full" });
        const running: { caller: string; end: () => void }[] = [];
        const waiting: { caller: string; leave: () => void }[] = [];
        let settled = 0;
        let started = 0;
        const runningOf = (caller: string) => running.filter((job) => job.caller === caller).length;
        for (const each of steps) {
          if (each.does === "start") {
            const caller = String(each.caller);
            const controller = new AbortController();
            const entry = { caller, leave: () => controller.abort("gone") };
            started += 1;
            waiting.push(entry);
            const remove = () => void (waiting.includes(entry) && waiting.splice(waiting.indexOf(entry), 1));
            const job = () => {
              const fewest = Math.min(...waiting.map((other) => runningOf(other.caller)));
              expect(runningOf(caller)).toBe(fewest);
              remove();
              return new Promise<void>((end) => running.push({ caller, end }));
            };
            const count = () => {
              settled += 1;
              remove();
            };
            semaphore.run(job, { caller, signal: controller.signal }).then(count, count);
          } else if (each.does === "end") running.splice(each.which % Math.max(1, running.length), 1)[0]?.end();
          else waiting.at(each.which % Math.max(1, waiting.length))?.leave();
          await turn();
          expect([semaphore.running(), semaphore.waiting()]).toEqual([running.length, waiting.length]);
          expect(running.length <= 3 && waiting.length <= 5).toBe(true);
        }
        while (running.length > 0) {
          running.shift()?.end();
          await turn();
        }
        expect([settled, semaphore.running(), semaphore.waiting()]).toEqual([started, 0, 0]);
      }),
    );
  });
});

describe("tenants", () => {
  const held = () => Promise.withResolvers<void>();

  test("take turns, however many callers one of them has", async () => {
    const semaphore = createSemaphore(1);
    const began: string[] = [];
    const job = (caller: string) => semaphore.run(async () => void began.push(caller), { caller });
    const [flood, other] = [[1, 2, 3, 4].map((i) => inTenant(1, `f${i}`)), ["a", "b"].map((id) => inTenant(2, id))];
    await Promise.all([...flood, ...flood, ...other].map(job));
    expect(began.slice(0, 6)).toEqual(["1 f1", "1 f2", "2 a", "1 f3", "2 b", "1 f4"]);
  });

  test("a full line refuses the tenant that floods it, with however many callers", async () => {
    const refused: string[] = [];
    const semaphore = createSemaphore(1, { most: 4, onFull: () => new Error("full") });
    const gate = held();
    const run = (tenant: number, id: string) =>
      semaphore
        .run(() => gate.promise, { caller: inTenant(tenant, id) })
        .catch(() => void refused.push(`${tenant} ${id}`));
    const all = [1, 2, 3, 4, 5].map((i) => run(1, `f${i}`));
    all.push(run(2, "a"), run(2, "b"));
    await turn();
    expect(refused).toHaveLength(2);
    expect(refused.every((caller) => caller.startsWith("1 "))).toBe(true);
    expect(() => semaphore.requireRoom(inTenant(1, "new"))).toThrow("full");
    expect(() => semaphore.requireRoom(inTenant(3, "new"))).not.toThrow();
    gate.resolve();
    await Promise.all(all);
  });
});
