import { expect, test } from "vitest";
import { recall } from "./recall.ts";

test("every question of the benchmark finds memories by both searches, among few memories, too", async () => {
  const { figures } = await recall([1_000]).run(() => {});
  expect(figures.map(({ rounds }) => rounds.length)).not.toContain(0);
});
