// Which problems a route can give, and the responses that describe them.
import { PROBLEM_TYPE } from "#contract/media-types.ts";
import type { ServedProblemCode } from "#contract/problem.ts";
import { PROBLEMS } from "#contract/problem-status.ts";
import { isRefusedUnderLoad, type Route } from "#contract/routes.ts";
import { problemSchema } from "#contract/schemas/problem.ts";
import { problemExample } from "./examples.ts";
import type { Json, ToJsonSchema } from "./json-schema.ts";

/** Every request is read, and its caller is found in the records or asked for at the identity provider. */
const OF_EVERY_ROUTE: readonly ServedProblemCode[] = [
  "malformed-http",
  // A parameter that the route does not take.
  "invalid-request",
  "unauthenticated",
  // A token may name no role that the service knows.
  "forbidden",
  "insecure-transport",
  "forbidden-host",
  "internal",
  "issuer-unavailable",
  "records-unavailable",
  "storage-full",
  "storage-lost",
];

const OF_AN_NDJSON_BODY: readonly ServedProblemCode[] = ["malformed-json", "unsupported-media-type"];
const OF_A_JSON_BODY: readonly ServedProblemCode[] = [...OF_AN_NDJSON_BODY, "nesting-too-deep", "body-too-large"];

const OF_A_REPEAT: Readonly<Record<NonNullable<Route["idempotent"]>, readonly ServedProblemCode[]>> = {
  answer: ["in-progress", "idempotency-key-reused"],
  memory: ["in-progress", "idempotency-key-reused", "not-found"],
  key: ["in-progress", "idempotency-key-reused", "already-created"],
  webhook: ["in-progress", "idempotency-key-reused", "already-created"],
  anchor: ["in-progress", "idempotency-key-reused"],
  // It is idempotent by itself.
  import: [],
};

/** The codes, in the order of the table of codes. */
export function problemCodesOf(route: Route): readonly ServedProblemCode[] {
  const { method, access, limit, idempotent, problems = [] } = route;
  const codes = new Set<ServedProblemCode>([
    ...OF_EVERY_ROUTE,
    ...codesOfBody(route),
    ...(method === "GET" ? [] : (["cross-origin"] as const)),
    // Whoever may not call a route is counted in any case.
    ...(access === "public" && limit === "never" ? [] : (["too-many-requests"] as const)),
    ...(isRefusedUnderLoad(route) ? (["overloaded"] as const) : []),
    ...(idempotent === undefined ? [] : OF_A_REPEAT[idempotent]),
    ...problems,
  ]);
  return (Object.keys(PROBLEMS) as ServedProblemCode[]).filter((code) => codes.has(code));
}

function codesOfBody({ method, ndjson, rawBody }: Route): readonly ServedProblemCode[] {
  if (ndjson !== undefined || rawBody !== undefined) return OF_AN_NDJSON_BODY;
  return method === "GET" ? [] : OF_A_JSON_BODY;
}

type Shared = { readonly responses: Json; readonly toJsonSchema: ToJsonSchema };

/** Responses by status. Each is described once, in `responses`, under its codes, and referred to. */
export function problemResponses(codes: readonly ServedProblemCode[], { responses, toJsonSchema }: Shared): Json {
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code].status);
  const statuses = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    statuses.map(([status, own]) => {
      const name = own.join("_");
      responses[name] ??= response(status, own, toJsonSchema);
      return [String(status), { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function response(status: number, codes: readonly ServedProblemCode[], toJsonSchema: ToJsonSchema): Json {
  const headers = headersOf(status, codes);
  const examples = codes.flatMap((code) => {
    const value = problemExample(code);
    return value === undefined ? [] : [[code, { value }] as const];
  });
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join("\n\n"),
    ...(headers !== undefined && { headers }),
    content: {
      [PROBLEM_TYPE]: {
        schema: toJsonSchema(problemSchema, "output"),
        ...(examples.length > 0 && { examples: Object.fromEntries(examples) }),
      },
    },
    // In a list of their own for programs. No enum of the schema: a later version may have further codes.
    "x-problem-codes": codes,
  };
}

function headersOf(status: number, codes: readonly ServedProblemCode[]): Json | undefined {
  if (status === 401 || codes.includes("forbidden")) return { "WWW-Authenticate": ref("WWW-Authenticate") };
  if (status === 429 || status === 503 || codes.includes("in-progress")) return { "Retry-After": ref("Retry-After") };
  return undefined;
}

const ref = (name: string): Json => ({ $ref: `#/components/headers/${name}` });
