import { z } from "zod";
import { canonicalFault } from "#core/encoding/canonical-json.ts";

const shapes = new WeakMap<z.core.$ZodType, z.ZodType>();

/**
 * Checks a value against `shape` but yields the value as it came, unknown fields and all. zod's objects are copies
 * without what they do not know (and never with a key `__proto__`), and a receipt's unknown fields belong to its bytes.
 * So all of it must have canonical JSON.
 */
export function verbatim<T extends z.ZodType>(shape: T): z.ZodType<z.output<T>, z.output<T>> {
  const schema = z.custom<z.output<T>>().superRefine((value, context) => {
    const { error } = shape.safeParse(value, { error: required });
    for (const { path, message } of error?.issues ?? []) context.addIssue({ code: "custom", path: [...path], message });
    const fault = canonicalFault(value);
    if (fault !== undefined) context.addIssue({ code: "custom", path: fault.path, message: fault.why });
  });
  shapes.set(schema, shape);
  return schema;
}

/** The shape that a schema checks against when `verbatim` made it. */
export function shapeOf(schema: z.core.$ZodType): z.ZodType | undefined {
  return shapes.get(schema);
}

/** zod says "expected string, received undefined" for a field that is not there; people say that it is required. */
export function required(issue: { readonly input?: unknown }): string | undefined {
  return issue.input === undefined ? "is required" : undefined;
}
