// Errors on the wire: RFC 9457 problem details with a stable `code`.
import type { z } from "zod";
import type { ErrorCode } from "#core/errors.ts";
import { PROBLEM_TYPE } from "./media-types.ts";
import type { problemSchema } from "./schemas/problem.ts";

/** Codes of the HTTP layer: the request reached no service. */
export type HttpErrorCode =
  | "malformed-http"
  | "malformed-json"
  | "nesting-too-deep"
  | "body-too-large"
  | "unsupported-media-type"
  | "method-not-allowed"
  | "insecure-transport"
  | "forbidden-host"
  | "cross-origin";

export type Problem = Omit<z.infer<typeof problemSchema>, "code"> & {
  code: ErrorCode | HttpErrorCode | "unexpected-response";
};

/** What the client throws when the service answers with a problem. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly problem: Problem;

  constructor(details: Problem) {
    super(details.detail);
    this.problem = details;
  }

  get status(): number {
    return this.problem.status;
  }

  get code(): Problem["code"] {
    return this.problem.code;
  }
}

/** The problem in a response; for a response without one, a proxy's error page for example, a problem that says so. */
export async function readProblem(response: Response): Promise<Problem> {
  if (response.headers.get("content-type")?.startsWith(PROBLEM_TYPE)) return (await response.json()) as Problem;
  return {
    type: "about:blank",
    title: response.statusText,
    status: response.status,
    code: "unexpected-response",
    detail: `The service answered ${response.status} and did not say why.`,
  };
}
