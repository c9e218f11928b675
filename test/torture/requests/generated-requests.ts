// Requests made from the document that openapi.json holds: valid ones, ones with one thing wrong, and hostile ones.
import fc from "fast-check";
import { openApiDocument } from "../../../scripts/openapi/document.ts";
import { type JsonSchema, type Schemas, valuesOf } from "./schema-values.ts";

export interface GeneratedRequest {
  /** The row of the route table. */
  readonly operationId: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Schemas };
}

const LONGEST_HEAD = 10_000;

const HOSTILE_TEXTS = [
  "",
  "__proto__",
  "constructor",
  "../../etc/passwd",
  "%2e%2e%2f",
  "' OR 1=1 --",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "\u0000",
  "\u202e",
  "\ud800",
  "9".repeat(400),
  "a".repeat(70_000),
  "null",
  "true",
  "-1",
  "1e999",
];

const HOSTILE_HEADERS: readonly Readonly<Record<string, string>>[] = [
  { "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "https" },
  { "x-http-method-override": "DELETE" },
  { "content-type": "text/plain" },
  { "content-type": "application/json; charset=utf-16" },
  { "accept-encoding": "gzip;q=9" },
  { accept: "text/event-stream" },
  { accept: "application/x-ndjson" },
  { "last-event-id": "1" },
  { "idempotency-key": "one" },
  { origin: "https://elsewhere.test" },
  { range: "bytes=0-1" },
];

/** `hints` are ids and names of the world under test, `headers` what some requests have beside those that all may have. */
export function generatedRequests(
  hints: readonly string[],
  headers: readonly Readonly<Record<string, string>>[] = [],
): fc.Arbitrary<GeneratedRequest> {
  const openApi = openApiDocument("test") as unknown as Document;
  const { schemas } = openApi.components;
  const requests = Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => requestsTo({ path, method }, operation)),
  );
  return fc.oneof(...requests);

  function requestsTo(place: { path: string; method: string }, operation: Operation): fc.Arbitrary<GeneratedRequest> {
    const { operationId, parameters = [], requestBody } = operation;
    const values = (schema: JsonSchema) => valuesOf(schema, schemas, hints);
    const text = (schema: JsonSchema) =>
      fc.oneof(
        { weight: 6, arbitrary: values(schema).map(String) },
        { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
      );
    const inPath = parameters.filter((parameter) => parameter.in === "path");
    const inQuery = parameters.filter((parameter) => parameter.in === "query");
    const [mediaType = "application/json", media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
    return fc
      .record({
        path: fc.tuple(...inPath.map(({ schema }) => text(schema))).map((filled) => fill(place.path, filled)),
        query: queries(inQuery, (schema) => (schema.type === "object" ? values(schema) : text(schema))),
        body: media === undefined ? fc.constant(undefined) : bodies(values(lineOf(media.schema)), mediaType),
        extra: fc.oneof(
          { weight: 5, arbitrary: fc.constant({}) },
          { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_HEADERS, ...headers) },
        ),
        chosen: fc.oneof(
          { weight: 19, arbitrary: fc.constant(place.method.toUpperCase()) },
          { weight: 1, arbitrary: fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS") },
        ),
      })
      .map(({ path, query, body, extra, chosen }) => {
        // A head that is too long is refused by the parser, which does not know then that a HEAD may have no body.
        const method = chosen === "HEAD" && path.length + query.length > LONGEST_HEAD ? "GET" : chosen;
        return {
          operationId,
          method,
          path: query === "" ? path : `${path}?${query}`,
          headers: { ...(body !== undefined && { "content-type": mediaType }), ...extra },
          ...(body !== undefined && method !== "GET" && method !== "HEAD" && { body }),
        };
      });
  }
}

/** A body of lines is generated with one line. */
const lineOf = ({ contentSchema, ...schema }: JsonSchema): JsonSchema => contentSchema?.items ?? schema;

/** An object has a parameter for each member: `metadata[topic]=food`. */
function fieldsOf(name: string, value: unknown): [string, string][] {
  if (typeof value !== "object" || value === null) return [[name, String(value)]];
  return Object.entries(value).map(([member, inner]) => [`${name}[${member}]`, String(inner)]);
}

function queries(
  parameters: readonly { readonly name: string; readonly schema: JsonSchema }[],
  values: (schema: JsonSchema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<string> {
  const fields = Object.fromEntries(parameters.map(({ name, schema }) => [name, values(schema)]));
  const known = fc
    .record(fields, { requiredKeys: [] })
    .map((query) =>
      new URLSearchParams(Object.entries(query).flatMap(([name, value]) => fieldsOf(name, value))).toString(),
    );
  const unknown = fc.constantFrom("viewas=assistant", "limit=1&limit=2", "__proto__=1", "%", "=", "&&", "limit[]=1");
  return fc.oneof({ weight: 8, arbitrary: known }, { weight: 1, arbitrary: unknown });
}

/** Valid JSON, JSON with one field taken away, replaced or added, and texts that are no JSON. */
function bodies(valid: fc.Arbitrary<unknown>, mediaType: string): fc.Arbitrary<string> {
  const end = mediaType === "application/json" ? "" : "\n";
  const nearly = fc
    .tuple(valid, fc.nat(), fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.jsonValue({ maxDepth: 3 })), fc.nat(2))
    .map(([value, which, other, change]) => changed(value, { which, other, change }));
  const broken = fc.constantFrom(
    "",
    "{",
    "[]",
    "null",
    '{"a":1,"a":2}',
    '{"__proto__":{"admin":true}}',
    "[".repeat(5_000),
  );
  return fc.oneof(
    { weight: 6, arbitrary: valid.map((value) => JSON.stringify(value) + end) },
    { weight: 3, arbitrary: nearly.map((value) => JSON.stringify(value) + end) },
    { weight: 1, arbitrary: broken },
  );
}

function changed(
  value: unknown,
  { which, other, change }: { readonly which: number; readonly other: unknown; readonly change: number },
): unknown {
  if (typeof value !== "object" || value === null) return other;
  const entries = Object.entries(value);
  const [name = "unknown"] = entries[which % Math.max(entries.length, 1)] ?? [];
  if (change === 0) return Object.fromEntries(entries.filter(([key]) => key !== name));
  return { ...value, [change === 1 ? name : "unknown"]: other };
}

const fill = (path: string, values: readonly string[]): string => {
  let next = 0;
  return path.replace(/\{\w+\}/g, () => encodeURIComponent((values[next++] ?? "").toWellFormed()) || "%20");
};
