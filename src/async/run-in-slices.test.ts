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

test("while several tenants are served, one patient one goes on in every second turn", async () => {
  let isShared = true;
  const next = createPacedTurns(3, { isPatient: true, areSeveral: () => isShared });
  const log: number[] = [];
  const enter = (id: number) => next().then(() => log.push(id));
  const all = [1, 2].map(enter);
  await turn();
  expect(log).toEqual([1]);
  await turn();
  expect(log).toEqual([1]);
  await turn();
  expect(log).toEqual([1, 2]);
  all.push(...[3, 4, 5].map(enter));
  await turn();
  expect(log).toEqual([1, 2]);
  isShared = false;
  await turn();
  expect(log).toEqual([1, 2, 3, 4, 5]);
  await Promise.all(all);
});

test("tenants take turns, however many of one wait", async () => {
  const next = createPacedTurns(1);
  const log: string[] = [];
  const enter = (tenant: string, id: number) => next(tenant).then(() => log.push(`${tenant}${id}`));
  await Promise.all([enter("a", 1), enter("a", 2), enter("a", 3), enter("b", 1), enter("a", 4)]);
  expect(log).toEqual(["a1", "b1", "a2", "a3", "a4"]);
});
