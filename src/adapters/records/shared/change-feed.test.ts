import { expect, test, vi } from "vitest";
import { CHANGES_PER_READ, toSnapshot, unchanged } from "./change-feed.ts";

const CURSOR = { position: 4, policyVersion: 2 };
const captured = (sequence: number) => ({
  sequence,
  namespace: "n",
  content: "c",
  createdAt: "2026-01-01",
  captured: null,
  pinned: null,
});

test("a reader at the end of the feed gets an empty snapshot, and any other none", () => {
  expect(unchanged(CURSOR, { memory: 4, policy: 2 })).toEqual({ ...CURSOR, changes: [], complete: true });
  expect(unchanged(CURSOR, { memory: 5, policy: 2 })).toBeUndefined();
  expect(unchanged(CURSOR, { memory: 4, policy: 3 })).toBeUndefined();
});

test("a complete snapshot ends at the counter, and a tombstone or a pin names its memory", () => {
  const later = { namespace: "n", content: null, createdAt: null };
  const rows = [
    captured(5),
    { ...later, sequence: 6, captured: 2, pinned: 1 },
    { ...later, sequence: 7, captured: 3, pinned: null },
    { ...later, sequence: 8, captured: 2, pinned: false },
  ];
  const readPolicy = vi.fn();
  // The counter is ahead of the last row when the memories in between were forgotten.
  expect(toSnapshot(CURSOR, { memory: 9, policy: 2 }, rows, readPolicy)).toEqual({
    changes: [
      { kind: "captured", sequence: 5, namespace: "n", content: "c", createdAt: "2026-01-01" },
      { kind: "pinned", sequence: 6, namespace: "n", captured: 2, pinned: true },
      { kind: "forgotten", sequence: 7, namespace: "n", captured: 3 },
      { kind: "pinned", sequence: 8, namespace: "n", captured: 2, pinned: false },
    ],
    position: 9,
    complete: true,
    policyVersion: 2,
  });
  expect(readPolicy).not.toHaveBeenCalled();
});

test("a full read is not complete, and the next one begins after its last change", () => {
  const rows = Array.from({ length: CHANGES_PER_READ }, (_, i) => captured(5 + i));
  const snapshot = toSnapshot(CURSOR, { memory: 99_999, policy: 2 }, rows, vi.fn());
  expect(snapshot).toMatchObject({ complete: false, position: 4 + CHANGES_PER_READ });
});

test("the policy is read only when its version moved", () => {
  const leaves = [{ agentId: "a", namespace: "n", allowed: true }];
  const policy = { kind: "whole", digest: "d", leaves } as const;
  expect(toSnapshot(CURSOR, { memory: 4, policy: 3 }, [], () => policy)).toMatchObject({ policy, policyVersion: 3 });
});
