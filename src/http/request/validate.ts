// Checks values from outside against a schema of the route table. An error names each field at fault.
import type { z } from "zod";
import { validate } from "#contract/schemas/validate.ts";
import { type FieldFault, PortcullisError } from "#core/errors.ts";

const FAULTS_SHOWN = 20;

type Locate = (path: readonly PropertyKey[]) => Omit<FieldFault, "detail">;

/** A value from a body. Its faults are located with JSON pointers. */
export function validateBody(schema: z.ZodType, value: unknown): unknown {
  return validated(schema, value, (path) => ({
    pointer: `#${path.map((part) => `/${escaped(String(part))}`).join("")}`,
  }));
}

/** Path or query parameters. */
export function validateParameters(schema: z.ZodType, value: unknown): unknown {
  return validated(schema, value, (path) => ({ parameter: path.join(".") }));
}

function validated(schema: z.ZodType, value: unknown, locate: Locate): unknown {
  const result = validate(schema, value);
  if (result.success) return result.data;
  const fields = result.error.issues
    .slice(0, FAULTS_SHOWN)
    .map(({ path, message }) => ({ ...locate(path), detail: message }));
  throw new PortcullisError("invalid-request", "Some fields are not valid; `errors` lists them.", { fields });
}

/** RFC 6901 escapes `~` and `/` inside a JSON pointer. */
const escaped = (part: string): string => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
