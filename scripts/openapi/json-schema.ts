// JSON Schemas of zod schemas. Those that have an id are described once, under `components`, and referred to.
import { z } from "zod";
import { shapeOf } from "#contract/schemas/validate.ts";

export type Json = Record<string, unknown>;

/** Of what a caller sends, or of what it gets. */
export type Direction = "input" | "output";

export type ToJsonSchema = (schema: z.ZodType, direction: Direction) => Json;

/** Schemas with an id go to `shared`. */
export function jsonSchemasInto(shared: Json): ToJsonSchema {
  return function toJsonSchema(schema, io) {
    const made: Json = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      override({ zodSchema, jsonSchema }) {
        const shape = shapeOf(zodSchema);
        if (shape !== undefined) Object.assign(jsonSchema, toJsonSchema(shape, io));
        // A later version may add fields. A reader of today must take them.
        if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
        // The format says it, and the pattern has a thousand characters.
        if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
      },
    });
    const { $schema: _, $defs = {}, ...own } = made;
    Object.assign(shared, withComponentPaths($defs));
    return withComponentPaths(own);
  };
}

const withComponentPaths = (value: unknown): Json =>
  JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));
