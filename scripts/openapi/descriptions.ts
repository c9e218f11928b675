// How operations are grouped, who may call them, and the headers of requests and responses.
import type { Route } from "#contract/routes.ts";
import { answerRows } from "#contract/rows/answers.ts";
import { identityRows } from "#contract/rows/identity.ts";
import { ledgerRows } from "#contract/rows/ledger.ts";
import { logRows } from "#contract/rows/logs.ts";
import { memoryRows, namespaceRows } from "#contract/rows/memories.ts";
import { operationRows } from "#contract/rows/operations.ts";
import { policyRows } from "#contract/rows/policy.ts";
import { receiptRows } from "#contract/rows/receipts.ts";
import type { Rows } from "#contract/rows/row.ts";
import { transferRows } from "#contract/rows/transfer.ts";
import type { Json } from "./json-schema.ts";

const GROUPS: readonly (readonly [name: string, rows: Rows, description: string])[] = [
  ["Answers", answerRows, "Ask as an agent, or recall memories for a model of your own. The gate decides first."],
  ["Memories", memoryRows, "Capture facts, read, pin and forget them."],
  ["Namespaces", namespaceRows, "What a namespace is for, how long its memories are kept, and facts by their keys."],
  ["Policy", policyRows, "Which agent may use which namespace. Whatever is not allowed is blocked."],
  ["Receipts", receiptRows, "The receipts of answers: read them, anchor them, verify them."],
  ["Ledger", ledgerRows, "Where anchors are recorded, for a verifier."],
  ["Logs", logRows, "What was decided, and what happens now."],
  ["Transfer", transferRows, "Take records away, and bring them into another service."],
  ["Identities", identityRows, "Keys of callers, and sessions of the app."],
  ["Service", operationRows, "What the service runs on, and how it does."],
];

export const TAGS: readonly Json[] = GROUPS.map(([name, , description]) => ({ name, description }));

const tagOfRoute = new Map(GROUPS.flatMap(([name, rows]) => Object.keys(rows).map((route) => [route, name] as const)));

export const tagOf = (routeName: string): string => tagOfRoute.get(routeName) ?? "Service";

export const SECURITY_SCHEMES: Json = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description:
      "A key of this service (`portcullis_…`), or a token (JWT) of the identity provider that it is configured with. A service without identities asks for no credentials, and every caller is its admin.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-portcullis",
    description:
      "The session of the app in a browser. Below a base path the cookie is called `__Secure-portcullis`, and on loopback without TLS `portcullis`.",
  },
};

const WITH_CREDENTIALS = [{ bearer: [] }, { session: [] }];

/** A public route takes credentials, too: an agent may see more of it than a stranger. */
export const securityOf = ({ access }: Pick<Route, "access">): Json[] =>
  access === "public" ? [...WITH_CREDENTIALS, {}] : WITH_CREDENTIALS;

const PLURALS = {
  agent: "agents",
  "namespace-admin": "admins of namespaces",
  auditor: "auditors",
  operator: "operators",
} as const;

export function callersOf({ access }: Pick<Route, "access">): string {
  if (access === "public") return "Anyone may call it.";
  if (access === "operators") return "For operators.";
  const roles = access.map((role) => PLURALS[role]);
  return roles.length === 0 ? "For admins." : `For ${roles.join(", ")} and admins.`;
}

const header = (description: string, schema: Json): Json => ({ description, schema });

export const RESPONSE_HEADERS: Json = {
  "X-Request-Id": header("The id of the request in the service's log. The caller's own, if it sent one.", {
    type: "string",
    maxLength: 64,
    pattern: "^[\\w-]+$",
  }),
  "RateLimit-Policy": header("The limit that counts this call: its name, `q` calls in `w` seconds.", {
    type: "string",
    maxLength: 100,
    examples: ['"answers";q=60;w=60'],
  }),
  RateLimit: header("What is left of the limit: `r` calls, until it starts again in `t` seconds.", {
    type: "string",
    maxLength: 100,
    examples: ['"answers";r=59;t=60'],
  }),
  "Preference-Applied": header("`return=minimal` when the caller preferred it.", { type: "string", maxLength: 100 }),
  "Retry-After": header("After how many seconds to try again.", { type: "integer", minimum: 1, maximum: 3_600 }),
  "WWW-Authenticate": header("Which credentials the route takes (RFC 6750), and who gives them (RFC 9728).", {
    type: "string",
    maxLength: 2_000,
  }),
  "Set-Cookie": header("The cookie of the session, or one that ends it.", { type: "string", maxLength: 4_096 }),
};

export const IDEMPOTENCY_KEY: Json = {
  name: "Idempotency-Key",
  in: "header",
  description: "Chosen by the caller. A request that is repeated with it within a day is carried out once.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
};

export const PREFER: Json = {
  name: "Prefer",
  in: "header",
  description: "`return=minimal`: the reply has the version alone (RFC 7240).",
  schema: { type: "string", maxLength: 1_000 },
};

export const LAST_EVENT_ID: Json = {
  name: "Last-Event-ID",
  in: "header",
  description: "The id of the last event that the caller has. Up to 24 hours of later events are sent again.",
  schema: { type: "string", minLength: 1, maxLength: 200 },
};
