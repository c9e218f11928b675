import { expect, test } from "vitest";
import { stateOf } from "./use-tenant.ts";

const AT = "2026-01-01T00:00:00.000Z";
const deletion = { startedAt: AT, removed: { memories: 1, receipts: 0, namespaces: 1, keys: 1 }, remaining: 2 };

test.for([
  [{}, "active"],
  [{ suspendedAt: AT }, "suspended"],
  [{ suspendedAt: AT, deletion }, "being deleted"],
  [{ deletion: { ...deletion, endedAt: AT } }, "deleted"],
] as const)("The state of a tenant with %j is %s", ([more, state]) => {
  expect(stateOf({ id: "acme", createdAt: AT, ...more })).toBe(state);
});
