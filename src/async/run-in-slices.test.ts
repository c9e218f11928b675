import { expect, test } from "vitest";
import { createPacedTurns } from "./run-in-slices.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("so many go on in each turn, in their order, also those that come later", async () => {
  const next = createPacedTurns(2);
  const log: number[] = [];
  const enter = (id: number) => next().then(() => log.push(id));
  const all = [1, 2, 3].map(enter);
  expect(log).toEqual([]);
  await turn();
  expect(log).toEqual([1, 2]);
  all.push(enter(4));
  await turn();
  expect(log).toEqual([1, 2, 3, 4]);
  all.push(enter(5));
  await Promise.all(all);
  expect(log).toEqual([1, 2, 3, 4, 5]);
});
