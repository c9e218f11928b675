import { expect, test } from "vitest";
import { toChangePage, toSnapshot } from "./change-feed.ts";

const RANGE = { namespace: "n", after: 4, through: 8 };
const UNENCRYPTED = { memoryId: null, encryptionKeyId: null, wrappedKey: null, factHash: null };
const captured = (sequence: number) => ({
  sequence,
  content: "c",
  createdAt: "2026-01-01",
  occurredAt: null,
  captured: null,
  pinned: null,
  ...UNENCRYPTED,
});

test("a snapshot stands at the counters, and has the policy only when there is an update of it", () => {
  const policy = { kind: "whole", digest: "d", rules: [{ agentId: "a", namespace: "n", allowed: true }] } as const;
  const heads = [{ namespace: "n", memories: 3, isEncrypted: false, head: 7 }];
  const snapshot = { heads, position: 8, removals: 3, policyVersion: 2 };
  expect(toSnapshot({ memory: 8, removal: 3, policy: 2 }, heads)).toEqual(snapshot);
  expect(toSnapshot({ memory: 8, removal: 3, policy: 2 }, heads, policy)).toEqual({ ...snapshot, policy });
});

test("a page of all changes ends where its range ends, and a tombstone or a pin names its memory", () => {
  const later = { content: null, createdAt: null, occurredAt: null, ...UNENCRYPTED };
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

test("a captured memory that is encrypted comes with its id and its encryption", () => {
  const encrypted = { ...captured(5), memoryId: "m", encryptionKeyId: "k", wrappedKey: "w", factHash: "h" };
  expect(toChangePage(RANGE, [encrypted], false).changes).toMatchObject([
    { kind: "captured", memoryId: "m", encryption: { keyId: "k", wrappedKey: "w", factHash: "h" } },
  ]);
});

test("a page that was cut off ends at its last change", () => {
  expect(toChangePage(RANGE, [captured(5), captured(6)], true).position).toBe(6);
});
