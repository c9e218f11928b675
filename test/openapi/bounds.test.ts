import { describe, expect, test } from "vitest";
import { openApiDocument } from "../../scripts/openapi/document.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Schemas without a bound that they should have, by their place in the document. */
function unbounded(value: unknown, place = "#"): string[] {
  if (Array.isArray(value)) return value.flatMap((element, i) => unbounded(element, `${place}/${i}`));
  if (typeof value !== "object" || value === null) return [];
  const schema = value as Schema;
  const inner = Object.entries(schema)
    .filter(([name]) => name !== "example" && name !== "examples")
    .flatMap(([name, field]) => unbounded(field, `${place}/${name}`));
  // A body that is read piece by piece has no bound of its own. Its pieces have.
  const isStream = "contentSchema" in schema || place.endsWith("/contentSchema");
  return isStream || isBounded(schema) ? inner : [place, ...inner];
}

function isBounded(schema: Schema): boolean {
  if ("enum" in schema || "const" in schema) return true;
  const types = [schema.type].flat();
  if (types.includes("string") && !("maxLength" in schema)) return false;
  if (types.includes("array") && !("maxItems" in schema)) return false;
  const isNumber = types.includes("integer") || types.includes("number");
  return !isNumber || ("minimum" in schema && "maximum" in schema);
}

describe("openapi.json", () => {
  test("has bounds for every text, number and list", () => {
    const { paths, components } = openApiDocument("test");
    expect(unbounded({ paths, components })).toEqual([]);
  });
});
