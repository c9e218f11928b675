import { describe, expect, test } from "vitest";
import type { ServedProblemCode } from "#contract/problem.ts";
import { PROBLEMS } from "#contract/problem-status.ts";
import { type Route, routes } from "#contract/routes.ts";
import { rowOf, watchProblems } from "#test/support/declared-problems.ts";
import { problemCodesOf } from "../../scripts/openapi/problems.ts";

/** Codes that no route of the table gives. */
const OF_NO_ROUTE: readonly ServedProblemCode[] = ["method-not-allowed", "blob-not-found", "configuration"];

describe("The problems that a route declares", () => {
  test("are all codes together, apart from those that no route gives", () => {
    const declared = new Set(Object.values<Route>(routes).flatMap((route) => problemCodesOf(route)));
    const missing = (Object.keys(PROBLEMS) as ServedProblemCode[]).filter((code) => !declared.has(code));
    expect(missing.sort()).toEqual([...OF_NO_ROUTE].sort());
  });

  test("follow from what its row says", () => {
    expect(problemCodesOf(routes.getPolicy)).not.toContain("malformed-json");
    expect(problemCodesOf(routes.setAccess)).toEqual(expect.arrayContaining(["malformed-json", "cross-origin"]));
    expect(problemCodesOf(routes.setAccess)).not.toContain("overloaded");
    expect(problemCodesOf(routes.signOut)).not.toContain("too-many-requests");
    expect(problemCodesOf(routes.createKey)).toContain("already-created");
  });
});

describe("The watch over a service under test", () => {
  test("finds the row of a path as the router does", () => {
    expect(rowOf("POST", "/api/memories/import")?.name).toBe("importMemories");
    expect(rowOf("GET", "/api/memories/import")).toBeUndefined();
    expect(rowOf("HEAD", "/api/memories/mem_1")?.name).toBe("getMemory");
  });

  test("fails a test whose service gave a problem that its route does not declare", async () => {
    const checkAfter = async (code: string) => {
      const incoming = { url: "/api/policy" };
      const outgoing = { statusCode: 409, end: () => undefined };
      const { fetch, check } = watchProblems((_, node) => {
        node.outgoing.end(`{"type":"urn:portcullis:problem:${code}"}`);
        return new Response();
      });
      const node = { incoming, outgoing } as unknown as Parameters<typeof fetch>[1];
      await fetch(new Request("http://localhost/api/policy"), node);
      return check;
    };
    expect(await checkAfter("too-many-pinned")).toThrow("getPolicy: too-many-pinned");
    expect(await checkAfter("overloaded")).not.toThrow();
  });
});
