import type { z } from "zod";
import { validate } from "#contract/schemas/validate.ts";
import { invalidFields } from "#core/errors.ts";

const FAULTS_SHOWN = 20;

/** The arguments of a tool or a prompt. The error names each one at fault, as that of a request's body does. */
export function checkArguments<S extends z.ZodObject>(schema: S, given: unknown): z.output<S> {
  const result = validate(schema, given ?? {});
  if (result.success) return result.data;
  const { issues } = result.error;
  throw invalidFields(
    ...issues.slice(0, FAULTS_SHOWN).map(({ path, message }) => ({
      pointer: `#${path.map((part) => `/${String(part)}`).join("")}`,
      detail: message,
    })),
  );
}
