import type { z } from "zod";

/** zod's `safeParse`, except that a missing field "is required". zod says "expected string, received undefined". */
export function validate<T extends z.ZodType>(schema: T, value: unknown): z.ZodSafeParseResult<z.output<T>> {
  return schema.safeParse(value, { error: ({ input }) => (input === undefined ? "is required" : undefined) });
}
