import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Route, routes } from "#contract/routes.ts";
import packageJson from "../../package.json" with { type: "json" };
import { openApiDocument } from "../../scripts/openapi/document.ts";

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

const committed = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"));

describe("openapi.json", () => {
  test("is what the route table says; run `npm run openapi` when it is not", () => {
    expect(openApiDocument(packageJson.version)).toEqual(committed);
  });

  test("has one media type in a reply that is done, but for lines in place of a list", () => {
    const operations = Object.values(committed.paths as Record<string, Record<string, Operation>>).flatMap(
      Object.values,
    );
    const types = operations.map(({ responses }) => Object.keys(responses["200"]?.content ?? {}));
    for (const each of types.filter(({ length }) => length > 1))
      expect(each).toEqual(["application/json", "application/x-ndjson"]);
  });

  test("has an operation for each route, and every reference leads to a schema", () => {
    const operations = Object.values(committed.paths as Record<string, Record<string, { operationId: string }>>);
    const names = operations.flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    const streams = Object.entries<Route>(routes).flatMap(([name, { streamPath }]) =>
      streamPath ? `${name}Stream` : [],
    );
    expect(names.sort()).toEqual([...Object.keys(routes), ...streams].sort());
    const references = JSON.stringify(committed).match(/#\/[^"]+/g) ?? [];
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references.filter((found) => found.includes("components"))) {
      const [kind = "", name = ""] = reference.split("/").slice(2);
      expect(committed.components[kind], reference).toHaveProperty([name]);
    }
  });

  test.for(["PUT", "PATCH", "DELETE"] as const)(
    "a %s route has an operation, with its parameters and body",
    (method) => {
      const params = z.object({ id: z.string() });
      const body = z.object({ text: z.string() });
      const place = { method, path: "/api/things/{id}", access: [], limit: "write" } as const;
      const { paths } = openApiDocument("1", {
        change: { ...place, summary: "", params, body, response: z.object({}) },
      });
      expect(paths).toMatchObject({
        "/api/things/{id}": {
          [method.toLowerCase()]: {
            operationId: "change",
            parameters: [{ name: "id", in: "path", required: true }],
            requestBody: { required: true, content: { "application/json": { schema: { required: ["text"] } } } },
          },
        },
      });
    },
  );
});
