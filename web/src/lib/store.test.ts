import { expect, test } from "vitest";
import { createStore } from "./store.ts";

test("calls every subscriber after a change, until it unsubscribes", () => {
  const store = createStore(0);
  const values: [name: string, value: number][] = [];
  const unsubscribe = store.subscribe(() => values.push(["first", store.get()]));
  store.subscribe(() => values.push(["second", store.get()]));
  store.set(1);
  unsubscribe();
  store.set(2);
  expect(values).toEqual([
    ["first", 1],
    ["second", 1],
    ["second", 2],
  ]);
});
