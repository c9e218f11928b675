import { expect, it } from "vitest";
import { atMost } from "./at-most.ts";

it("runs so many jobs at a time and all of them in the end, also when some fail", async () => {
  const run = atMost(3);
  let [now, most] = [0, 0];
  const job = async (n: number) => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setImmediate(resolve));
    now -= 1;
    if (n % 4 === 0) throw new Error(String(n));
    return n;
  };
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => run(() => job(n))));
  expect(most).toBe(3);
  expect(results.map(({ status }) => status === "fulfilled")).toEqual(results.map((_, n) => n % 4 !== 0));
  expect(await run(async () => "again")).toBe("again");
});
