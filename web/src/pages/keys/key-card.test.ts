import { describe, expect, test } from "vitest";
import { type KeyRecord, roleOf, stateOf } from "./key-card.tsx";

const KEY: KeyRecord = {
  keyId: "key_1",
  name: "n",
  role: "admin",
  captures: [],
  createdAt: "2026-01-01T00:00:00.000Z",
  createdBy: "first admin",
};
const NOON = Date.parse("2026-06-01T12:00:00.000Z");

describe("The state of a key", () => {
  test.for([
    [{}, "active"],
    [{ expiresAt: "2026-06-01T12:00:00.001Z" }, "active"],
    [{ expiresAt: "2026-06-01T12:00:00.000Z" }, "expired"],
    [{ expiresAt: "2026-06-01T13:00:00.000Z", revokedAt: "2026-05-01T00:00:00.000Z" }, "revoked"],
  ] as const)("with %j is %s", ([more, state]) => {
    expect(stateOf({ ...KEY, ...more }, NOON)).toBe(state);
  });
});

test.for([
  ["admin", [], "admin"],
  ["auditor", [], "auditor"],
  ["agent:planner", ["travel"], "agent planner"],
  ["admin:garden,50%25", [], "admin of garden, 50%"],
  ["something of tomorrow", [], "something of tomorrow"],
] as const)("The role %s is shown in words", ([role, captures, words]) => {
  expect(roleOf({ ...KEY, role, captures: [...captures] })).toBe(words);
});
