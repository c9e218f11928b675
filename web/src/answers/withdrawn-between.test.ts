import { expect, test } from "vitest";
import type { GateEvent } from "#contract/routes.ts";
import { withdrawnBetween } from "./conversation.ts";

const gate = (names: readonly string[], blockedNamespaces: readonly string[]): GateEvent => ({
  answerId: "ans_1",
  createdAt: "2026-05-01T10:00:00.000Z",
  policyVersion: 1,
  template: "assistant/1",
  memories: names.map((name) => ({
    memoryId: name,
    namespace: name.slice(0, 1),
    content: name,
    contentDigest: "0".repeat(64),
  })),
  blockedNamespaces: [...blockedNamespaces],
});

test("names what was withdrawn by namespace, and tells a closed gate from other reasons", () => {
  const withdrawn = withdrawnBetween(gate(["a1", "b1", "a2", "c1"], []), gate(["c1", "c2"], ["a"]));
  expect(withdrawn.map(({ namespace, memories, isClosed }) => [namespace, memories.length, isClosed])).toEqual([
    ["a", 2, true],
    ["b", 1, false],
  ]);
});

test("names nothing when every memory stays", () => {
  expect(withdrawnBetween(gate(["a1"], ["z"]), gate(["b1", "a1"], []))).toEqual([]);
});
