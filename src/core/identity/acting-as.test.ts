import { expect, test } from "vitest";
import { actingAs } from "./acting-as.ts";
import { factBy, governs, mayCall, mayRead, mayReadWholePolicy } from "./permissions.ts";
import { ANONYMOUS, OPEN, type Principal } from "./principal.ts";

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
