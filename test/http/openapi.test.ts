import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "#contract/openapi.ts";
import { routes } from "#contract/routes.ts";
import packageJson from "../../package.json" with { type: "json" };

const committed = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"));

describe("openapi.json", () => {
  it("is what the table of routes says; run `npm run openapi` when it is not", () => {
    expect(openApiDocument(packageJson.version)).toEqual(committed);
  });

  it("has an operation for each route, and every reference leads somewhere", () => {
    const operations = Object.values(committed.paths as Record<string, Record<string, { operationId: string }>>);
    const names = operations.flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(names.sort()).toEqual([...Object.keys(routes), "importMemories"].sort());
    const references = JSON.stringify(committed).match(/#\/[^"]+/g) ?? [];
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references.filter((found) => found.includes("components"))) {
      expect(committed.components.schemas).toHaveProperty([reference.split("/").at(-1) ?? ""]);
    }
  });
});
