// A request's parameters, query and body, checked against its row of the route table. Later code trusts the values. An
// error names each field at fault.
import type { z } from "zod";
import type { Route } from "#contract/routes.ts";
import { validate } from "#contract/schemas/validate.ts";
import { type FieldFault, invalidFields } from "#core/errors.ts";
import { readJson } from "./json-body.ts";
import { readNdjson } from "./ndjson-body.ts";
import { readQuery } from "./query-parameters.ts";

const FAULTS_SHOWN = 20;

export async function readInput(
  route: Route,
  request: Request,
  pathParameters: Readonly<Record<string, string>>,
): Promise<{ params: unknown; query: unknown; body: unknown }> {
  const params = route.params && validateParameters(route.params, pathParameters);
  const query = route.query && validateParameters(route.query, readQuery(request.url, Object.keys(route.query.shape)));
  const body = route.body && (await readBody(route, route.body, request));
  return { params, query, body };
}

async function readBody(
  { ndjson, bodyOptional, bodyLimit }: Route,
  schema: z.ZodType,
  request: Request,
): Promise<unknown> {
  const check = (value: unknown) => validateBody(schema, value);
  if (ndjson !== undefined) return readNdjson(request, { check, ...ndjson });
  const json = await readJson(request, { optional: bodyOptional === true, limit: bodyLimit });
  return json === undefined ? undefined : check(json);
}

type Locate = (path: readonly PropertyKey[]) => Omit<FieldFault, "detail">;

/** A value from a body. Its faults are located with JSON pointers. */
function validateBody(schema: z.ZodType, value: unknown): unknown {
  return validated(schema, value, (path) => ({
    pointer: `#${path.map((part) => `/${escaped(String(part))}`).join("")}`,
  }));
}

/** Path or query parameters. */
function validateParameters(schema: z.ZodType, value: unknown): unknown {
  return validated(schema, value, (path) => ({ parameter: path.join(".") }));
}

function validated(schema: z.ZodType, value: unknown, locate: Locate): unknown {
  const result = validate(schema, value);
  if (result.success) return result.data;
  const fields = result.error.issues
    .slice(0, FAULTS_SHOWN)
    .map(({ path, message }) => ({ ...locate(path), detail: message }));
  throw invalidFields(...fields);
}

/** RFC 6901 escapes `~` and `/` inside a JSON pointer. */
const escaped = (part: string): string => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
