import { expect, test, vi } from "vitest";
import { toChangePage, toSnapshot, unchanged } from "./change-feed.ts";

const CURSOR = { position: 4, policyVersion: 2 };
const RANGE = { namespace: "n", after: 4, through: 8 };
const UNSEALED = { memoryId: null, sealKeyId: null, wrappedKey: null, factHash: null };
const captured = (sequence: number) => ({
  sequence,
  content: "c",
  createdAt: "2026-01-01",
  captured: null,
  pinned: null,
  ...UNSEALED,
});

test("a reader at the end of the feed gets an empty snapshot, and any other none", () => {
  expect(unchanged(CURSOR, { memory: 4, removal: 3, policy: 2 })).toEqual({ ...CURSOR, removals: 3, heads: [] });
  expect(unchanged(CURSOR, { memory: 5, removal: 3, policy: 2 })).toBeUndefined();
  expect(unchanged(CURSOR, { memory: 4, removal: 3, policy: 3 })).toBeUndefined();
});

test("a snapshot stands at the counters, and has the policy only when its version moved", () => {
  const leaves = [{ agentId: "a", namespace: "n", allowed: true }];
  const policy = { kind: "whole", digest: "d", leaves } as const;
  const readPolicy = vi.fn(() => policy);
  const heads = [{ namespace: "n", memories: 3, isSealed: false, head: 7 }];
  expect(toSnapshot(CURSOR, { memory: 8, removal: 3, policy: 2 }, heads, readPolicy)).toEqual({
    heads,
    position: 8,
    removals: 3,
    policyVersion: 2,
  });
  expect(readPolicy).not.toHaveBeenCalled();
  expect(toSnapshot(CURSOR, { memory: 4, removal: 3, policy: 3 }, [], readPolicy)).toMatchObject({
    policy,
    policyVersion: 3,
  });
});

test("a page of all changes ends where its range ends, and a tombstone or a pin names its memory", () => {
  const later = { content: null, createdAt: null, ...UNSEALED };
  const rows = [
    captured(5),
    { ...later, sequence: 6, captured: 2, pinned: 1 },
    { ...later, sequence: 7, captured: 3, pinned: null },
    { ...later, sequence: 8, captured: 2, pinned: false },
  ];
  expect(toChangePage({ ...RANGE, through: 9 }, rows, false)).toEqual({
    changes: [
      { kind: "captured", sequence: 5, namespace: "n", content: "c", createdAt: "2026-01-01" },
      { kind: "pinned", sequence: 6, namespace: "n", captured: 2, pinned: true },
      { kind: "forgotten", sequence: 7, namespace: "n", captured: 3 },
      { kind: "pinned", sequence: 8, namespace: "n", captured: 2, pinned: false },
    ],
    position: 9,
  });
});

test("a captured memory that is sealed comes with its id and its seal", () => {
  const sealed = { ...captured(5), memoryId: "m", sealKeyId: "k", wrappedKey: "w", factHash: "h" };
  expect(toChangePage(RANGE, [sealed], false).changes).toMatchObject([
    { kind: "captured", memoryId: "m", seal: { keyId: "k", wrappedKey: "w", factHash: "h" } },
  ]);
});

test("a page that was cut off ends at its last change", () => {
  expect(toChangePage(RANGE, [captured(5), captured(6)], true).position).toBe(6);
});
