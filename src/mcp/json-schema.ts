// JSON Schema of what tools take and give. A host sends it to a model, so it is kept short.
import { z } from "zod";

interface ObjectSchema {
  readonly [key: string]: unknown;
  readonly type: "object";
}

/** What a tool takes. Whatever it does not name is refused. */
export const inputSchemaOf = (schema: z.ZodObject): ObjectSchema => jsonSchemaOf(schema, "input");

/** What a tool gives. A later version may give more. */
export const outputSchemaOf = (schema: z.ZodObject): ObjectSchema => jsonSchemaOf(schema, "output");

function jsonSchemaOf(schema: z.ZodObject, io: "input" | "output"): ObjectSchema {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ jsonSchema }) {
      if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // The format says it, and the pattern has 300 characters.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // Some hosts take one type alone.
      const { type } = jsonSchema as { type?: unknown };
      if (Array.isArray(type)) {
        delete jsonSchema.type;
        jsonSchema.anyOf = type.map((each) => ({ type: each }));
      }
    },
  });
  const { $schema: _, $ref, $defs = {}, ...own } = made;
  // Not every host follows a reference at the root.
  const name = $ref?.replace("#/$defs/", "") ?? "";
  const { [name]: root = {}, ...others } = $defs;
  const defs = Object.keys(others).length > 0 ? { $defs: others } : {};
  return { ...root, ...own, ...defs, type: "object" };
}
