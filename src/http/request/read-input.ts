// A request's parameters, query and body, checked against its row of the route table. Later code trusts the values.
import type { z } from "zod";
import type { Route } from "#contract/routes.ts";
import { readJson } from "./json-body.ts";
import { readNdjson } from "./ndjson-body.ts";
import { validateBody, validateParameters } from "./validate.ts";

interface CheckedInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export async function readInput(
  route: Route,
  request: Request,
  pathParameters: Readonly<Record<string, string>>,
): Promise<CheckedInput> {
  const params = route.params && validateParameters(route.params, pathParameters);
  const query = route.query && validateParameters(route.query, Object.fromEntries(queryOf(request)));
  const body = route.body && (await readBody(route, route.body, request));
  return { params, query, body };
}

async function readBody({ ndjson, bodyOptional }: Route, schema: z.ZodType, request: Request): Promise<unknown> {
  if (ndjson !== undefined) return readNdjson(request, { schema, ...ndjson });
  const json = await readJson(request, { optional: bodyOptional === true });
  return json === undefined ? undefined : validateBody(schema, json);
}

function queryOf({ url }: Request): URLSearchParams {
  const start = url.indexOf("?");
  return new URLSearchParams(start === -1 ? "" : url.slice(start + 1));
}
