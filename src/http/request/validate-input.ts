// A request's parameters, query and body, checked against the row of the table. Past this point values are trusted.
import type { z } from "zod";
import type { Route } from "#contract/routes.ts";
import { required } from "#contract/schemas/verbatim.ts";
import { type FieldFault, PortcullisError } from "#core/errors.ts";
import { readJson } from "./json-body.ts";

const FAULTS_SHOWN = 20;

type Place = (path: readonly PropertyKey[]) => Omit<FieldFault, "detail">;

interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export async function readInput(route: Route, request: Request, given: Record<string, string>): Promise<Input> {
  const params = route.params && checked(route.params, given, inAddress);
  const query = route.query && checked(route.query, Object.fromEntries(parametersOf(request)), inAddress);
  const body = route.body && (await readBody(route, route.body, request));
  return { params, query, body };
}

async function readBody(route: Route, schema: z.ZodType, request: Request): Promise<unknown> {
  const json = await readJson(request, { optional: route.bodyOptional === true });
  return json === undefined ? undefined : checkedBody(schema, json);
}

/** A value from a body, checked against its schema; faults are pointed to. */
export function checkedBody(schema: z.ZodType, value: unknown): unknown {
  return checked(schema, value, inBody);
}

function checked(schema: z.ZodType, value: unknown, place: Place): unknown {
  const result = schema.safeParse(value, { error: required });
  if (result.success) return result.data;
  const fields = result.error.issues
    .slice(0, FAULTS_SHOWN)
    .map(({ path, message }) => ({ ...place(path), detail: message }));
  throw new PortcullisError("invalid-request", "Some of what was sent does not fit; `errors` says what.", { fields });
}

const inAddress: Place = (path) => ({ parameter: path.join(".") });
const inBody: Place = (path) => ({ pointer: `#${path.map((part) => `/${escaped(String(part))}`).join("")}` });

// RFC 6901: `~` and `/` have escapes of their own inside a JSON pointer.
const escaped = (part: string): string => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));

function parametersOf(request: Request): URLSearchParams {
  const start = request.url.indexOf("?");
  return new URLSearchParams(start === -1 ? "" : request.url.slice(start + 1));
}
