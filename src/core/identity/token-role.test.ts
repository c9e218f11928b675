import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PortcullisError } from "#core/errors.ts";
import { roleOfClaims } from "./token-role.ts";

describe("The role of a token", () => {
  test.for([
    [{ role: "admin" }, { role: "admin" }],
    [{ role: "auditor" }, { role: "auditor" }],
    [{ role: "admin:diet,a%2Cb" }, { role: "namespace-admin", namespaces: ["diet", "a,b"] }],
    [
      { role: "agent", agent: "planner" },
      { role: "agent", agentId: "planner", captures: [] },
    ],
    [{ role: "agent:planner" }, { role: "agent", agentId: "planner", captures: [] }],
    [
      { role: "agent:planner", agent: "planner", namespaces: ["diet"] },
      { role: "agent", agentId: "planner", captures: ["diet"] },
    ],
  ] as const)("%j is %j", ([claims, role]) => {
    expect(roleOfClaims(claims)).toEqual(role);
  });

  test.for([
    [{}, "names no role"],
    [{ role: null }, "names no role"],
    [{ role: "" }, "not valid"],
    [{ role: "Admin" }, "not valid"],
    [{ role: "public" }, "not valid"],
    [{ role: ["admin"] }, "not a text"],
    [{ role: "agent" }, "names none"],
    [{ role: "agent", agent: "" }, "not valid"],
    [{ role: "agent", agent: 7 }, "not a text"],
    [{ role: "agent:planner", agent: "companion" }, "contradict"],
    [{ role: "admin", agent: "planner" }, "contradict"],
    [{ role: "agent:planner", namespaces: "diet" }, "list of texts"],
    [{ role: "agent:planner", namespaces: [1] }, "list of texts"],
    [{ role: "admin", namespaces: ["diet"] }, "not valid"],
    [{ agent: "planner" }, "names no role"],
  ] as const)("%j is refused", ([claims, sentence]) => {
    expect(() => roleOfClaims(claims)).toThrow(expect.objectContaining({ code: "forbidden" }));
    expect(() => roleOfClaims(claims)).toThrow(sentence);
  });

  test("is a role or a refusal, whatever the claims are", () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (role, agent, namespaces) => {
        try {
          expect(["admin", "auditor", "agent", "namespace-admin"]).toContain(
            roleOfClaims({ role, agent, namespaces }).role,
          );
        } catch (error) {
          expect(error).toBeInstanceOf(PortcullisError);
          expect(error).toMatchObject({ code: "forbidden" });
        }
      }),
    );
  });
});
