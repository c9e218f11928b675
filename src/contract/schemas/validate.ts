import { z } from "zod";
import { canonicalFault } from "#core/encoding/canonical-json.ts";
import { type FieldFault, invalidFields } from "#core/errors.ts";
import { anyOf, unknownName } from "#core/names/nearest-name.ts";

const FAULTS_SHOWN = 20;
/** A member's name comes back in the error. */
const NAME_SHOWN = 64;

export interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export type Validated<T> =
  | { readonly data: T; readonly faults?: undefined }
  /** Some of them, when there are many. */
  | { readonly data?: undefined; readonly faults: readonly Fault[] };

/**
 * zod's `safeParse`, except that its messages go on after a field's name ("must be a text"), and that each member which a
 * strict object does not have is a fault of its own, which names the nearest one.
 */
export function validate<T extends z.ZodType>(schema: T, value: unknown): Validated<z.output<T>> {
  const members = new Map<string, readonly string[]>();
  const { data, error } = schema.safeParse(value, {
    error(issue) {
      const { input, code, path = [], inst } = issue;
      if (code === "unrecognized_keys" && inst instanceof z.ZodObject)
        members.set(path.join("/"), Object.keys(inst.shape));
      return input === undefined ? "is required" : messageOf(issue);
    },
  });
  if (error === undefined) return { data: data as z.output<T> };
  const faults = error.issues.slice(0, FAULTS_SHOWN).flatMap((issue): Fault | Fault[] => {
    if (issue.code !== "unrecognized_keys") return issue;
    const known = members.get(issue.path.join("/")) ?? [];
    return issue.keys.slice(0, FAULTS_SHOWN).map((key) => {
      const name = key.slice(0, NAME_SHOWN).toWellFormed();
      return { path: [...issue.path, name], message: unknownName("member of this object", name, known) };
    });
  });
  return { faults: faults.slice(0, FAULTS_SHOWN) };
}

/** The value, once it is valid. The error names each field at fault; `locate` says how. */
export function checked<T extends z.ZodType>(
  schema: T,
  value: unknown,
  locate: (path: readonly PropertyKey[]) => Omit<FieldFault, "detail"> = inBody,
): z.output<T> {
  const { data, faults } = validate(schema, value);
  if (faults === undefined) return data;
  throw invalidFields(...faults.map(({ path, message }) => ({ ...locate(path), detail: message })));
}

/** A JSON pointer. RFC 6901 escapes `~` and `/` inside of it. */
const inBody = (path: readonly PropertyKey[]) => ({ pointer: `#${path.map((part) => `/${escaped(part)}`).join("")}` });
const escaped = (part: PropertyKey): string =>
  encodeURIComponent(String(part).replaceAll("~", "~0").replaceAll("/", "~1"));

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_type") return `must be ${KINDS[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value") return `must be ${anyOf(issue.values.map((value) => JSON.stringify(value)))}`;
  if (issue.code === "too_small") return bound(issue.origin, "at least", issue.minimum);
  if (issue.code === "too_big") return bound(issue.origin, "at most", issue.maximum);
  // Of what is in none of the forms, zod says no more than that.
  return issue.code === "invalid_union" ? "has a form that is not taken here" : undefined;
}

function bound(origin: string, which: string, amount: number | bigint): string {
  if (origin === "number" || origin === "int") return `must be ${which} ${amount}`;
  return `must have ${which} ${amount} ${origin === "string" ? "character" : "element"}${amount === 1 ? "" : "s"}`;
}

const shapes = new WeakMap<z.core.$ZodType, z.ZodType>();

/**
 * A schema that checks a value against `shape` and yields the value itself, with its unknown fields. zod's own objects are
 * copies, and even a loose one has no key `__proto__`. The unknown fields of a receipt belong to its bytes, so all of the
 * value must have canonical JSON.
 */
export function passthrough<T extends z.ZodType>(
  shape: T,
  faultOf: (value: z.output<T>) => ReturnType<typeof canonicalFault> = () => undefined,
): z.ZodType<z.output<T>, z.output<T>> {
  const schema = z.custom<z.output<T>>().superRefine((value, context) => {
    const { faults = [] } = validate(shape, value);
    for (const { path, message } of faults) context.addIssue({ code: "custom", path: [...path], message });
    const fault = canonicalFault(value) ?? (faults.length === 0 ? faultOf(value) : undefined);
    if (fault !== undefined) context.addIssue({ code: "custom", path: fault.path, message: fault.why });
  });
  shapes.set(schema, shape);
  return schema;
}

/** The shape of a schema that `passthrough` made. */
export const shapeOf = (schema: z.core.$ZodType): z.ZodType | undefined => shapes.get(schema);
