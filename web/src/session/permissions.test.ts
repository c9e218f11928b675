import { describe, expect, test } from "vitest";
import { PAGES, type PageName } from "#contract/page-paths.ts";
import { audienceOf, permissionsOf } from "./permissions.ts";
import type { Session } from "./session.ts";

const PUBLIC_PAGES: readonly PageName[] = ["verifyStart", "verify", "ledgerTransaction", "ledgerObject", "docs"];
const known = { signedIn: true, identities: true, name: "n" } as const;

const SESSIONS: Readonly<Record<string, [session: Session | undefined, pages: readonly PageName[]]>> = {
  "somebody whom the service has not named yet": [undefined, []],
  "somebody who is not signed in": [{ ...known, signedIn: false, role: "public" }, []],
  "an agent": [
    { ...known, role: "agent", agentId: "planner", captures: [] },
    ["console", "memories", "policy", "receipt", "activity", "agent", "namespace", "memory"],
  ],
  "the companion": [
    { ...known, role: "agent", agentId: "companion", captures: [] },
    ["console", "companion", "memories", "policy", "receipt", "activity", "agent", "namespace", "memory"],
  ],
  "an auditor": [
    { ...known, role: "auditor" },
    ["policy", "activity", "ledger", "log", "overview", "receipt", "agent", "namespace", "memory"],
  ],
  "an admin of a namespace": [
    { ...known, role: "namespace-admin", namespaces: ["garden"] },
    ["memories", "policy", "proposals", "webhooks", "agent", "namespace", "memory"],
  ],
  "everybody, without identities": [
    { signedIn: false, identities: false, name: "api", role: "admin" },
    (Object.keys(PAGES) as PageName[]).filter((name) => name !== "keys" && !PUBLIC_PAGES.includes(name)),
  ],
  "an admin": [
    { ...known, role: "admin" },
    (Object.keys(PAGES) as PageName[]).filter((name) => name !== "tenants" && !PUBLIC_PAGES.includes(name)),
  ],
  "an operator": [{ ...known, role: "operator" }, ["tenants", "keys"]],
};

describe("The pages beside the public ones that may be opened by", () => {
  test.for(Object.entries(SESSIONS))("%s", ([, [session, expected]]) => {
    const { mayOpen } = permissionsOf(session);
    const open = (Object.keys(PAGES) as PageName[]).filter(mayOpen);
    expect(open.toSorted()).toEqual([...expected, ...PUBLIC_PAGES].toSorted());
  });
});

test("The tenants are the first page of an operator, and in the footer where everybody is an admin", () => {
  const tenants = { path: "/tenants", label: "Tenants" };
  const operator = permissionsOf({ ...known, role: "operator" });
  expect([operator.navigation[0], operator.footer]).toEqual([tenants, [{ path: "/docs", label: "API reference" }]]);
  const open = permissionsOf({ signedIn: false, identities: false, name: "api", role: "admin" });
  expect([open.navigation, open.footer]).toEqual([
    expect.not.arrayContaining([tenants]),
    expect.arrayContaining([tenants]),
  ]);
});

test("A namespace is governed by its admins only", () => {
  const governing = (session: Session) => permissionsOf(session).governs("garden");
  expect(governing({ ...known, role: "namespace-admin", namespaces: ["garden"] })).toBe(true);
  expect(governing({ ...known, role: "namespace-admin", namespaces: ["health"] })).toBe(false);
  expect(governing({ ...known, role: "agent", agentId: "garden", captures: ["garden"] })).toBe(false);
  expect(governing({ ...known, role: "auditor" })).toBe(false);
});

test("An agent captures only into the namespaces that its key names, and an admin into any", () => {
  expect(permissionsOf({ ...known, role: "agent", agentId: "a", captures: ["diet"] }).captures).toEqual(["diet"]);
  expect(permissionsOf({ ...known, role: "admin" }).captures).toBeUndefined();
});

test("An agent forgets only what it captured, and the others what they govern", () => {
  const memory = { namespace: "garden", sourceAgent: "planner" };
  const may = (session: Session) => permissionsOf(session).mayRemove(memory);
  expect(may({ ...known, role: "agent", agentId: "planner", captures: [] })).toBe(true);
  expect(may({ ...known, role: "agent", agentId: "assistant", captures: ["garden"] })).toBe(false);
  expect(may({ ...known, role: "namespace-admin", namespaces: ["garden"] })).toBe(true);
  expect(may({ ...known, role: "namespace-admin", namespaces: ["health"] })).toBe(false);
  expect(may({ ...known, role: "auditor" })).toBe(false);
  expect(may({ ...known, role: "admin" })).toBe(true);
});

test("A page says for whom it is to those who may not open it", () => {
  expect(audienceOf("keys", "auditor")).toBe("Admins only.");
  expect(audienceOf("overview", "agent")).toBe("Admins and auditors only.");
  expect(audienceOf("activity", "operator")).toBe("Admins, auditors and agents only.");
});
