// Turns an error into a problem (RFC 9457).
import { PROBLEM_TYPE } from "#contract/media-types.ts";
import type { Problem } from "#contract/problem.ts";
import { PROBLEM_STATUS } from "#contract/problem-status.ts";
import { PortcullisError } from "#core/errors.ts";
import { HttpError } from "#http/http-error.ts";
import type { HttpReply } from "./reply.ts";

const RETRY_AFTER_SECONDS = 2;

export function problemOf(error: unknown, requestId?: string): Problem {
  const known = error instanceof PortcullisError || error instanceof HttpError ? error : undefined;
  const code = known?.code ?? "internal";
  const [status, title] = PROBLEM_STATUS[code];
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
