// Turns an error into a problem (RFC 9457). This table is the only place that gives an error a status.
import { PROBLEM_TYPE } from "#contract/media-types.ts";
import type { HttpErrorCode, Problem } from "#contract/problem.ts";
import { type ErrorCode, PortcullisError } from "#core/errors.ts";
import { HttpError } from "#http/http-error.ts";
import type { HttpReply } from "./reply.ts";

const STATUS: Readonly<Record<ErrorCode | HttpErrorCode, readonly [status: number, title: string]>> = {
  "invalid-request": [400, "The request is not valid"],
  "malformed-json": [400, "The body is not JSON"],
  "nesting-too-deep": [400, "The body is nested too deeply"],
  "malformed-http": [400, "The HTTP request is not well-formed"],
  unauthenticated: [401, "Say who you are"],
  forbidden: [403, "This caller may not do that"],
  "insecure-transport": [403, "The connection is not encrypted"],
  "forbidden-host": [403, "This host is not served"],
  "cross-origin": [403, "The request comes from another site"],
  "not-found": [404, "Not found"],
  "blob-not-found": [404, "No such blob"],
  "method-not-allowed": [405, "Method not allowed"],
  "policy-changed": [409, "The policy changed"],
  "limit-reached": [409, "A limit is reached"],
  "too-many-pinned": [409, "Too many memories are pinned"],
  "confusable-name": [409, "The name looks like another one"],
  "in-progress": [409, "A request with this Idempotency-Key is in progress"],
  "receipt-incomplete": [409, "The receipt is not complete"],
  "already-answered": [409, "This request was answered already"],
  "already-created": [409, "This request created its key already"],
  "body-too-large": [413, "The body is too large"],
  "unsupported-media-type": [415, "The body has the wrong media type"],
  "idempotency-key-reused": [422, "The Idempotency-Key belongs to another request"],
  "too-many-requests": [429, "Too many requests"],
  configuration: [500, "The configuration is not valid"],
  internal: [500, "Internal error"],
  "model-failed": [502, "The language model failed"],
  "blob-store-failed": [502, "The blob store failed"],
  "prompt-too-long": [502, "The prompt is too long for the language model"],
  "model-unavailable": [503, "The language model is not available"],
  "model-timeout": [504, "The language model did not answer in time"],
  "too-many-listeners": [503, "Too many clients listen"],
  "verifier-busy": [503, "The verifier is busy"],
  overloaded: [503, "The service is overloaded"],
  "version-not-on-ledger": [409, "The version of the policy is not on the ledger"],
  "receipt-not-on-record": [409, "The receipt is not on record any more"],
  "memory-forgotten": [409, "A memory of the receipt was forgotten"],
  "signing-key-ended": [409, "The key that signed the receipt has ended"],
  "seal-key-missing": [409, "The key of sealed namespaces is missing"],
  "ledger-refused": [502, "The ledger refused the transaction"],
  "ledger-no-gas": [503, "No gas to pay the ledger with"],
  "ledger-unavailable": [503, "The ledger is not available"],
  "ledger-timeout": [504, "The ledger did not answer in time"],
  "issuer-unavailable": [503, "The identity provider is not available"],
  "records-unavailable": [503, "The database is not available"],
  "storage-full": [503, "The disk is full"],
  "storage-lost": [503, "The database file is gone"],
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
    // The message of an error that is not ours may quote a memory, so it is not shown.
    detail: known?.message ?? "Something went wrong here. Tell the operator the request id.",
    ...(requestId !== undefined && { requestId }),
    ...known?.made,
    ...(known !== undefined && known.fields.length > 0 && { errors: [...known.fields] }),
  };
}

export function problemReply(problem: Problem, headers: Readonly<Record<string, string>> = {}): HttpReply {
  const retry =
    problem.status === 503 || problem.code === "in-progress" ? { "retry-after": String(RETRY_AFTER_SECONDS) } : {};
  return {
    status: problem.status,
    headers: { "content-type": PROBLEM_TYPE, ...retry, ...headers },
    body: JSON.stringify(problem),
  };
}
