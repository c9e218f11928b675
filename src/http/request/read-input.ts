// A request's parameters, query and body, checked against its row of the route table. Later code trusts the values. An
// error names each field at fault.
import { z } from "zod";
import type { Route } from "#contract/routes.ts";
import { checked } from "#contract/schemas/validate.ts";
import { type FieldFault, PortcullisError } from "#core/errors.ts";
import { unknownName } from "#core/names/nearest-name.ts";
import { readJson, readNdjson } from "./body.ts";

export async function readInput(
  route: Route,
  request: Request,
  pathParameters: Readonly<Record<string, string>>,
): Promise<{ params: unknown; query: unknown; body: unknown }> {
  const params = route.params && validateParameters(route.params, pathParameters);
  const given = readQuery(request.url, Object.keys(route.query?.shape ?? {}));
  const query = route.query && validateParameters(route.query, given);
  const body = route.method === "GET" || route.rawBody ? undefined : await readBody(route, request);
  return { params, query, body };
}

/** What a caller sends along with a DELETE is meant to say something. */
const NO_BODY = z.strictObject({});

async function readBody({ body, ndjson, bodyOptional, bodyLimit }: Route, request: Request): Promise<unknown> {
  const check = (value: unknown) => checked(body ?? NO_BODY, value);
  if (ndjson !== undefined) return readNdjson(request, { check, ...ndjson });
  const json = await readJson(request, { optional: body === undefined || bodyOptional === true, limit: bodyLimit });
  return json === undefined ? undefined : check(json);
}

const validateParameters = (schema: z.ZodType, value: unknown): unknown =>
  checked(schema, value, (path) => ({ parameter: path.join(".") }));

// The query of a request. A parameter that the route does not have is refused: `?viewas=` in place of `?viewAs=` would
// otherwise show everything. A repeated one is refused, because readers of it could disagree which one counts.

const FAULTS_SHOWN = 20;
/** A parameter's name comes back in the error. */
const NAME_SHOWN = 64;

/** The one parameter with members: `metadata.topic=food`, or `metadata[topic]=food` as openapi.json has it. */
const MEMBERS = "metadata";
const MEMBER = /^metadata(?:\.(.+)|\[(.+)\])$/s;

/** The parameters of the query by name. `known` are those that the route takes. */
export function readQuery(url: string, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (!url.includes("?")) return {};
  const values = new Map<string, unknown>();
  const members = new Map<string, string>();
  const faults = new Map<string, FieldFault>();
  for (const [name, value] of new URL(url).searchParams) {
    const member = known.includes(MEMBERS) ? MEMBER.exec(name) : null;
    const shown = name.slice(0, NAME_SHOWN).toWellFormed();
    if (member !== null) {
      const key = member[1] ?? member[2] ?? "";
      if (members.has(key)) faults.set(name, { parameter: shown, detail: "must be given once" });
      members.set(key, value);
      continue;
    }
    const detail = known.includes(name)
      ? repeated(values.has(name))
      : unknownName("parameter of this route", shown, known);
    if (detail !== undefined) faults.set(name, { parameter: shown, detail });
    values.set(name, value);
  }
  if (members.size > 0) values.set(MEMBERS, Object.fromEntries(members));
  if (faults.size === 0) return Object.fromEntries(values);
  throw new PortcullisError("invalid-request", "Some parameters are not valid; `errors` lists them.", {
    fields: [...faults.values()].slice(0, FAULTS_SHOWN),
  });
}

const repeated = (isRepeated: boolean): string | undefined => (isRepeated ? "must be given once" : undefined);

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The Idempotency-Key of a request. A header that comes twice has a space in it and is refused. */
export function idempotencyKeyOf({ headers }: Request): string | undefined {
  const key = headers.get("idempotency-key");
  if (key === null) return undefined;
  if (KEY.test(key)) return key;
  throw new PortcullisError("invalid-request", "Idempotency-Key must be 1 to 255 visible ASCII characters, once.");
}

/** Whether the caller asks for a minimal reply (RFC 7240). Of a preference that comes twice the first one counts. */
export function prefersMinimal({ headers }: Request): boolean {
  const preferences = (headers.get("prefer") ?? "").toLowerCase().split(",");
  const bare = preferences.map((preference) => preference.replace(/;.*/s, "").replaceAll(/[\s"]/g, ""));
  return bare.find((preference) => preference.startsWith("return=")) === "return=minimal";
}

// Content negotiation: what a request's Accept header asks for (RFC 9110, 12.5.1).

export const wants = ({ headers }: Request, type: string): boolean =>
  (headers.get("accept") ?? "").toLowerCase().includes(type);

/** Whether JSON is wanted more than HTML. A client without a preference gets HTML: for JSON there is `/api/verify`. */
export function prefersJson(accept: string): boolean {
  const weights = weightsIn(accept);
  const [json, html] = [weightOf("application/json", weights), weightOf("text/html", weights)];
  // Many programs send "application/json, */*", which weighs both the same. They want the type that they name.
  return json === html ? weights.has("application/json") && !weights.has("text/html") : json > html;
}

function weightsIn(accept: string): Map<string, number> {
  const ranges = accept.toLowerCase().split(",");
  return new Map(
    ranges.map((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
      const q = parameters.find((parameter) => parameter.startsWith("q="));
      return [type, q === undefined ? 1 : Number(q.slice(2)) || 0];
    }),
  );
}

/** The weight of the most specific range that covers the type. */
function weightOf(type: string, weights: ReadonlyMap<string, number>): number {
  const [kind] = type.split("/");
  return weights.get(type) ?? weights.get(`${kind}/*`) ?? weights.get("*/*") ?? 0;
}
