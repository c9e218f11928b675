// An error becomes an HTTP status here and nowhere else.
import { type HttpErrorCode, PROBLEM_TYPE, type Problem } from "#contract/problem.ts";
import { type ErrorCode, PortcullisError } from "#core/errors.ts";
import { HttpError } from "#http/http-error.ts";
import type { HttpReply } from "./reply.ts";

const STATUS: Readonly<Record<ErrorCode | HttpErrorCode, readonly [status: number, title: string]>> = {
  "invalid-request": [400, "The request does not fit"],
  "malformed-json": [400, "The body is not JSON"],
  "nesting-too-deep": [400, "The body is nested too deeply"],
  "malformed-http": [400, "Not a well-formed HTTP request"],
  "forbidden-host": [403, "Host not served"],
  "cross-origin": [403, "Request from another site"],
  "not-found": [404, "Not found"],
  "blob-not-found": [404, "No such blob"],
  "method-not-allowed": [405, "Method not allowed"],
  "policy-changed": [409, "The policy changed meanwhile"],
  "body-too-large": [413, "The body is too large"],
  "unsupported-media-type": [415, "The body must be JSON"],
  configuration: [500, "Wrongly configured"],
  internal: [500, "Internal error"],
  "model-failed": [502, "The language model failed"],
  "blob-store-failed": [502, "The blob store failed"],
  "model-unavailable": [503, "The language model is not available"],
  "model-timeout": [504, "The language model has not answered in time"],
  "verifier-busy": [503, "The verifier is busy"],
  "ledger-refused": [502, "The ledger refused"],
  "ledger-no-gas": [503, "Nothing to pay the ledger with"],
  "ledger-unavailable": [503, "The ledger is not available"],
  "ledger-timeout": [504, "The ledger has not answered yet"],
  "records-unavailable": [503, "The database is not available"],
};

const RETRY_AFTER_SECONDS = 2;

export function problemOf(error: unknown, requestId?: string): Problem {
  const known = error instanceof PortcullisError || error instanceof HttpError ? error : undefined;
  const code = known?.code ?? "internal";
  const [status, title] = STATUS[code];
  return {
    type: `urn:portcullis:problem:${code}`,
    title,
    status,
    code,
    // What we did not foresee may quote anything, so it is not shown.
    detail: known?.message ?? "Something went wrong here. Tell the operator the request id.",
    ...(requestId !== undefined && { requestId }),
    ...(known !== undefined && known.fields.length > 0 && { errors: [...known.fields] }),
  };
}

export function problemReply(problem: Problem, headers: Readonly<Record<string, string>> = {}): HttpReply {
  const retry = problem.status === 503 ? { "retry-after": String(RETRY_AFTER_SECONDS) } : {};
  return {
    status: problem.status,
    headers: { "content-type": PROBLEM_TYPE, ...retry, ...headers },
    body: JSON.stringify(problem),
  };
}
