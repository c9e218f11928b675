// Random values that fit a JSON Schema of openapi.json, as far as the schemas there go.
import fc from "fast-check";

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly contentSchema?: JsonSchema;
}

export type Schemas = Readonly<Record<string, JsonSchema>>;

const MOST_ITEMS = 4;
const LONGEST = 60;

/** `hints` are values that mean something in the world under test; a string field often has one of them. */
export function valuesOf(schema: JsonSchema, schemas: Schemas, hints: readonly string[]): fc.Arbitrary<unknown> {
  const of = (inner: JsonSchema): fc.Arbitrary<unknown> => valuesOf(inner, schemas, hints);
  if (schema.$ref !== undefined) return of(schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  // `oneOf` beside properties says which of them are required.
  if (choices !== undefined && schema.properties === undefined) return fc.oneof(...choices.map(of));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => of({ ...schema, type })));
  switch (schema.type) {
    case "object":
      return objectsOf(schema, of);
    case "array":
      return fc.array(of(schema.items ?? {}), { maxLength: Math.min(schema.maxItems ?? MOST_ITEMS, MOST_ITEMS) });
    case "integer":
    case "number":
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1_000, 2 ** 31 - 1) });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "string":
      return stringsOf(schema, hints);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectsOf(schema: JsonSchema, of: (schema: JsonSchema) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, of(inner)]));
  const known = fc.record(fields, { requiredKeys: [...required] });
  if (typeof additionalProperties !== "object") return known;
  return fc.dictionary(fc.string({ maxLength: 8 }), of(additionalProperties), { maxKeys: MOST_ITEMS });
}

function stringsOf(schema: JsonSchema, hints: readonly string[]): fc.Arbitrary<string> {
  if (schema.format === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  const { minLength = 0, maxLength = LONGEST } = schema;
  const any =
    schema.pattern === undefined
      ? fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, LONGEST) })
      : fc.stringMatching(new RegExp(schema.pattern));
  return hints.length === 0 ? any : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...hints) }, any);
}
