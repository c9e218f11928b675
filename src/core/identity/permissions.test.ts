import { describe, expect, test } from "vitest";
import {
  actingAs,
  agentFor,
  checkGoverns,
  factBy,
  governs,
  mayCall,
  mayRead,
  mayReadWholePolicy,
} from "./permissions.ts";
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

const refused = expect.objectContaining({ code: "forbidden" });
const key = { id: "k", name: "k" };

test("An admin who acts as an agent has no right of an admin left but to capture anywhere", () => {
  const acting = actingAs(OPEN, "planner");
  expect(acting).toMatchObject({ role: "agent", agentId: "planner", id: OPEN.id, name: OPEN.name });
  expect(mayCall(acting, [])).toBe(false);
  expect(governs(acting, "work")).toBe(false);
  expect(mayReadWholePolicy(acting)).toBe(false);
  expect(mayRead(acting, "work", { planner: { work: false } })).toBe(false);
  expect(mayRead(acting, "work", { planner: { work: true } })).toBe(true);
  expect(factBy(acting, { namespace: "work", content: "x" }).sourceAgent).toBe("planner");
  expect(() => factBy(acting, { namespace: "work", content: "x", sourceAgent: "other" })).toThrow(refused);
});

test("An agent acts as itself only, and keeps to its own captures", () => {
  const agent: Principal = { role: "agent", agentId: "planner", captures: [], ...key };
  expect(actingAs(agent, "planner")).toBe(agent);
  expect(() => actingAs(agent, "other")).toThrow(refused);
  expect(() => factBy(actingAs(agent, "planner"), { namespace: "work", content: "x" })).toThrow(refused);
});

test("Nobody else acts as an agent, and who has no rights gets none", () => {
  const others: Principal[] = [
    { role: "auditor", ...key },
    { role: "namespace-admin", namespaces: ["work"], ...key },
  ];
  for (const other of others) expect(() => actingAs(other, "planner")).toThrow(refused);
  expect(actingAs(ANONYMOUS, "planner")).toBe(ANONYMOUS);
});
