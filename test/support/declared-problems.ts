// Watches a service under test: a route may give only the problems that openapi.json declares for it. So all tests that
// start a service in their process check this, too.
import type { HttpBindings } from "@hono/node-server";
import { type Route, routes } from "#contract/routes.ts";
import { problemCodesOf } from "../../scripts/openapi/problems.ts";

type Fetch = (request: Request, node: HttpBindings) => Response | Promise<Response>;

const ROWS = Object.entries<Route>(routes).map(([name, route]) => ({
  name,
  method: route.method,
  path: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  codes: new Set<string>(problemCodesOf(route)),
}));

/** The row that serves a request: when two paths match, the first one counts. */
export function rowOf(method: string, pathname: string) {
  const first = ROWS.find(({ path }) => path.test(pathname));
  const called = method === "HEAD" ? "GET" : method;
  return ROWS.find((row) => row.path.source === first?.path.source && row.method === called);
}

export function watchProblems(fetch: Fetch) {
  const undeclared = new Set<string>();
  return {
    fetch(request: Request, node: HttpBindings): Response | Promise<Response> {
      const { incoming, outgoing } = node;
      // Not of the request's own URL: a test may send a Host that makes none.
      const pathname = URL.parse(incoming.url ?? "/", "http://localhost")?.pathname ?? "/";
      const end = outgoing.end.bind(outgoing) as (...given: unknown[]) => typeof outgoing;
      outgoing.end = ((...given: unknown[]) => {
        const row = outgoing.statusCode >= 400 ? rowOf(request.method, pathname) : undefined;
        const code = row && codeIn(given[0]);
        if (row !== undefined && code !== undefined && !row.codes.has(code)) undeclared.add(`${row.name}: ${code}`);
        return end(...given);
      }) as typeof outgoing.end;
      return fetch(request, node);
    },
    /** Throws when a route gave a problem that is not declared. */
    check(): void {
      if (undeclared.size === 0) return;
      throw new Error(`openapi.json does not declare these problems: ${[...undeclared].join(", ")}`);
    },
  };
}

function codeIn(body: unknown): string | undefined {
  return typeof body === "string" ? /^\{"type":"urn:portcullis:problem:([\w-]+)"/.exec(body)?.[1] : undefined;
}
