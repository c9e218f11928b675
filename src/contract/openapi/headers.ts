// Headers of requests and responses.
import type { Json } from "./json-schema.ts";

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

export const LAST_EVENT_ID: Json = {
  name: "Last-Event-ID",
  in: "header",
  description: "The id of the last event that the caller has. Up to 24 hours of later events are sent again.",
  schema: { type: "string", minLength: 1, maxLength: 200 },
};
