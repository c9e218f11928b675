import { expect, it } from "vitest";
import { createLanes } from "./lanes.ts";

const never = new AbortController().signal;
const turn = () => new Promise((resolve) => setImmediate(resolve));

it("lets in as many as there are lanes, and the others in the order in which they came", async () => {
  const lanes = createLanes(2);
  const began: number[] = [];
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const all = gates.map(({ promise }, i) =>
    lanes.run(never, () => {
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

it("forgets those who give up, and frees the lane of work that fails", async () => {
  const lanes = createLanes(1);
  const gate = Promise.withResolvers<void>();
  const first = lanes.run(never, () => gate.promise);
  const controller = new AbortController();
  const second = lanes.run(controller.signal, () => expect.unreachable());
  const third = lanes.run(never, async () => "third");
  controller.abort("gone");
  await expect(second).rejects.toBe("gone");
  gate.reject("failed");
  await expect(first).rejects.toBe("failed");
  expect(await third).toBe("third");
  expect(await lanes.run(never, async () => "free")).toBe("free");
});
