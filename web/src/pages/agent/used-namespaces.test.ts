import { expect, test } from "vitest";
import { usedNamespaces } from "./agent-page.tsx";

const entry = (answerId: string, used: readonly (readonly [namespace: string, memoryId: string])[]) =>
  ({
    receipt: { answerId, usedMemories: used.map(([namespace, memoryId]) => ({ namespace, memoryId })) },
  }) as unknown as Parameters<typeof usedNamespaces>[0][number];

test("sums up by namespace, and counts a memory once, however often it was given", () => {
  const entries = [
    entry("a1", [
      ["diet", "m1"],
      ["diet", "m2"],
      ["__proto__", "m3"],
    ]),
    entry("a2", [["diet", "m1"]]),
    entry("a3", []),
  ];
  expect(usedNamespaces(entries)).toEqual([
    { namespace: "diet", memories: 2, answers: 2 },
    { namespace: "__proto__", memories: 1, answers: 1 },
  ]);
});
