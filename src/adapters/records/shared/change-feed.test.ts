import { expect, test, vi } from "vitest";
import { CHANGES_PER_READ, toSnapshot, unchanged } from "./change-feed.ts";

const CURSOR = { position: 4, policyVersion: 2 };
const captured = (sequence: number) => ({ sequence, namespace: "n", content: "c", captured: null });

test("a reader at the end of the feed gets an empty snapshot, and any other none", () => {
  expect(unchanged(CURSOR, { memory: 4, policy: 2 })).toEqual({ ...CURSOR, changes: [], complete: true });
  expect(unchanged(CURSOR, { memory: 5, policy: 2 })).toBeUndefined();
  expect(unchanged(CURSOR, { memory: 4, policy: 3 })).toBeUndefined();
});

test("a complete snapshot ends at the counter, and a tombstone names the memory that was forgotten", () => {
  const rows = [captured(5), { sequence: 7, namespace: "n", content: null, captured: 3 }];
  const readPolicy = vi.fn();
  // The counter is ahead of the last row when the memories in between were forgotten.
  expect(toSnapshot(CURSOR, { memory: 8, policy: 2 }, rows, readPolicy)).toEqual({
    changes: [
      { kind: "captured", sequence: 5, namespace: "n", content: "c" },
      { kind: "forgotten", sequence: 7, namespace: "n", captured: 3 },
    ],
    position: 8,
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
