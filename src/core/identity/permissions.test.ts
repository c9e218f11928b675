import { describe, expect, test } from "vitest";
import { agentFor, checkGoverns, factBy, mayCall } from "./permissions.ts";
import { ANONYMOUS, OPEN, type Principal } from "./principal.ts";

const agent: Principal = { role: "agent", agentId: "planner", captures: ["travel"], id: "key:1", name: "planner" };
const owner: Principal = { role: "namespace-admin", namespaces: ["diet"], id: "key:2", name: "ada" };
const auditor: Principal = { role: "auditor", id: "key:3", name: "eve" };

describe("a route", () => {
  test("is open to the roles that it names, and to admins", () => {
    expect([OPEN, agent, owner, auditor, ANONYMOUS].map((caller) => mayCall(caller, ["agent"]))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect([OPEN, agent, ANONYMOUS].map((caller) => mayCall(caller, []))).toEqual([true, false, false]);
  });

  test("that is public is open to all", () => {
    expect([OPEN, agent, owner, auditor, ANONYMOUS].every((caller) => mayCall(caller, "public"))).toBe(true);
  });
});

describe("an agent", () => {
  test("speaks as itself, named or not", () => {
    expect([agentFor(agent, undefined), agentFor(agent, "planner")]).toEqual(["planner", "planner"]);
    expect(() => agentFor(agent, "assistant")).toThrow(expect.objectContaining({ code: "forbidden" }));
  });

  test("captures under its own name, into the namespaces that its key names", () => {
    const draft = { namespace: "travel", content: "a flight" };
    expect(factBy(agent, draft)).toEqual({ ...draft, sourceAgent: "planner" });
    const elsewhere = { namespace: "health", content: "a flight" };
    expect(() => factBy(agent, elsewhere)).toThrow(expect.objectContaining({ code: "forbidden" }));
    expect(() => factBy(agent, { ...draft, sourceAgent: "doctor" })).toThrow(
      expect.objectContaining({ code: "forbidden" }),
    );
    expect(() => factBy({ ...agent, captures: [] }, draft)).toThrow(expect.objectContaining({ code: "forbidden" }));
  });
});

describe("an admin", () => {
  test("speaks as any agent, and names it", () => {
    expect(agentFor(OPEN, "assistant")).toBe("assistant");
    expect(() => agentFor(OPEN, undefined)).toThrow(expect.objectContaining({ code: "invalid-request" }));
  });

  test("of namespaces governs these and no others, and speaks as nobody", () => {
    expect(() => checkGoverns(owner, "diet")).not.toThrow();
    expect(() => checkGoverns(owner, "health")).toThrow(expect.objectContaining({ code: "forbidden" }));
    expect(() => agentFor(owner, "assistant")).toThrow(expect.objectContaining({ code: "forbidden" }));
  });
});

test.for([auditor, ANONYMOUS])("$role changes nothing and speaks as nobody", (caller) => {
  expect(() => agentFor(caller, "assistant")).toThrow(expect.objectContaining({ code: "forbidden" }));
  expect(() => factBy(caller, { namespace: "n", content: "c", sourceAgent: "s" })).toThrow();
  expect(() => checkGoverns(caller, "n")).toThrow();
});
