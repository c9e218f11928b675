import { z } from "zod";
import { canonicalFault } from "#core/encoding/canonical-json.ts";

/** zod's `safeParse`, except that a missing field "is required". zod says "expected string, received undefined". */
export function validate<T extends z.ZodType>(schema: T, value: unknown): z.ZodSafeParseResult<z.output<T>> {
  return schema.safeParse(value, { error: ({ input }) => (input === undefined ? "is required" : undefined) });
}

const shapes = new WeakMap<z.core.$ZodType, z.ZodType>();

/**
 * A schema that checks a value against `shape` and yields the value itself, with its unknown fields. zod's own objects are
 * copies, and even a loose one has no key `__proto__`. The unknown fields of a receipt belong to its bytes, so all of the
 * value must have canonical JSON.
 */
export function passthrough<T extends z.ZodType>(shape: T): z.ZodType<z.output<T>, z.output<T>> {
  const schema = z.custom<z.output<T>>().superRefine((value, context) => {
    const { error } = validate(shape, value);
    for (const { path, message } of error?.issues ?? []) context.addIssue({ code: "custom", path: [...path], message });
    const fault = canonicalFault(value);
    if (fault !== undefined) context.addIssue({ code: "custom", path: fault.path, message: fault.why });
  });
  shapes.set(schema, shape);
  return schema;
}

/** The shape of a schema that `passthrough` made. */
export const shapeOf = (schema: z.core.$ZodType): z.ZodType | undefined => shapes.get(schema);
