import { describe, expect, test } from "vitest";
import { NDJSON_TYPE } from "#contract/media-types.ts";
import { type Route, routes } from "#contract/routes.ts";
import { problemSchema } from "#contract/schemas/problem.ts";
import { stable } from "../../scripts/api-examples/stable.ts";
import recorded from "../../scripts/openapi/examples.json" with { type: "json" };
import type { OperationExample, RecordedExamples } from "../../scripts/openapi/examples.ts";
import { problemCodesOf } from "../../scripts/openapi/problems.ts";
import { recordSession } from "../../scripts/openapi/recorded-session.ts";

const { operations, problems }: RecordedExamples = recorded;

describe("The examples of openapi.json", () => {
  test("are what a fresh service answers; run `npm run openapi` when they are not", async () => {
    expect(stable(await recordSession())).toEqual(stable(recorded));
  });

  test("are there for each operation", () => {
    expect(Object.keys(operations).sort()).toEqual(Object.keys(routes).sort());
  });

  test.for(Object.entries<Route>(routes))("of %s fit its schemas", ([name, route]) => {
    const { params, query, body, reply, others = {} } = operations[name] as OperationExample;
    if (params !== undefined) route.params?.parse(params);
    if (query !== undefined) route.query?.parse(query);
    const isLines = (route.mediaType ?? (route.ndjson && NDJSON_TYPE)) === NDJSON_TYPE;
    if (body !== undefined) linesOr(isLines, body, (value) => (route.body ?? route.rawBody?.line)?.parse(value));
    if (route.streams !== "events") linesOr(isLines, reply, (value) => route.response.parse(value));
    const lines = others[NDJSON_TYPE];
    if (lines !== undefined) linesOr(true, lines, (value) => route.lines?.parse(value));
  });

  test("of problems have a code that a route declares", () => {
    const declared = new Set<string>(Object.values<Route>(routes).flatMap((route) => problemCodesOf(route)));
    for (const [code, problem] of Object.entries(problems)) {
      expect(problemSchema.parse(problem).code).toBe(code);
      expect(declared).toContain(code);
    }
  });
});

function linesOr(isLines: boolean, value: unknown, parse: (value: unknown) => unknown): void {
  const values = isLines
    ? String(value)
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [value];
  for (const each of values) parse(each);
}
