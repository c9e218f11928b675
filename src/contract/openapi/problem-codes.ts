// Which problems a route can give. Most follow from its row: who may call it, what it reads, and which limit counts it.
// The row names the others.
import { isRefusedUnderLoad } from "#contract/overload.ts";
import { PROBLEM_STATUS, type ProblemCode } from "#contract/problem-status.ts";
import type { Route } from "#contract/routes.ts";

/** Every request is read, and its caller is found in the records or asked for at the identity provider. */
const OF_EVERY_ROUTE: readonly ProblemCode[] = [
  "malformed-http",
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

const OF_AN_NDJSON_BODY: readonly ProblemCode[] = ["malformed-json", "unsupported-media-type"];
const OF_A_JSON_BODY: readonly ProblemCode[] = [...OF_AN_NDJSON_BODY, "nesting-too-deep", "body-too-large"];

const OF_A_REPEAT: Readonly<Record<NonNullable<Route["idempotent"]>, readonly ProblemCode[]>> = {
  answer: ["in-progress", "idempotency-key-reused", "already-answered"],
  memory: ["in-progress", "idempotency-key-reused", "not-found"],
  key: ["in-progress", "idempotency-key-reused", "already-created"],
  anchor: ["in-progress", "idempotency-key-reused"],
  // It is idempotent by itself.
  import: [],
};

/** The codes, in the order of the table of codes. */
export function problemCodesOf(route: Route): readonly ProblemCode[] {
  const { method, access, limit, params, query, idempotent, problems = [] } = route;
  const codes = new Set<ProblemCode>([
    ...OF_EVERY_ROUTE,
    ...codesOfBody(route),
    ...(params || query || idempotent ? (["invalid-request"] as const) : []),
    ...(method === "GET" ? [] : (["cross-origin"] as const)),
    // Whoever may not call a route is counted in any case.
    ...(access === "public" && limit === "never" ? [] : (["too-many-requests"] as const)),
    ...(isRefusedUnderLoad(route) ? (["overloaded"] as const) : []),
    ...(idempotent === undefined ? [] : OF_A_REPEAT[idempotent]),
    ...problems,
  ]);
  return (Object.keys(PROBLEM_STATUS) as ProblemCode[]).filter((code) => codes.has(code));
}

function codesOfBody({ body, ndjson, rawBody }: Route): readonly ProblemCode[] {
  if (ndjson !== undefined || rawBody !== undefined) return OF_AN_NDJSON_BODY;
  return body === undefined ? [] : ["invalid-request", ...OF_A_JSON_BODY];
}
