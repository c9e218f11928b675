import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nameFault } from "#core/encoding/text-validation.ts";
import { parseRole, type Role, roleText } from "./principal.ts";

const name = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .filter((text) => nameFault(text) === undefined);
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 5 });

test("a role is read back from its text", () => {
  const role: fc.Arbitrary<Role> = fc.oneof(
    fc.constant<Role>({ role: "admin" }),
    fc.constant<Role>({ role: "auditor" }),
    names.map((namespaces): Role => ({ role: "namespace-admin", namespaces })),
    fc.tuple(name, names).map(([agentId, captures]): Role => ({ role: "agent", agentId, captures })),
  );
  fc.assert(
    fc.property(role, (role) => {
      const captures = role.role === "agent" ? role.captures : [];
      expect(parseRole(roleText(role), captures)).toEqual(role);
    }),
  );
});

describe("a text that names no role is refused", () => {
  test.for([
    "",
    "root",
    "Admin",
    "admin:",
    "admin:a,",
    "admin:50%",
    "agent",
    "agent:",
    "agent: a",
    "auditor:x",
    "public",
  ])("%j", (text) => {
    expect(() => parseRole(text)).toThrow();
  });

  test("and so is an admin or auditor with namespaces to capture into", () => {
    expect(() => parseRole("admin", ["diet"])).toThrow(/Only the role of an agent/);
  });
});
