// Errors on the wire: RFC 9457 problem details with a stable `code`.
import type { ErrorCode, HttpErrorCode } from "#core/errors.ts";

export type ServedProblemCode = ErrorCode | HttpErrorCode;

/** What a caller of the client meets. Stable: programs decide by it. */
export type ProblemCode = ServedProblemCode | "unexpected-response";

/** As `problemSchema` describes it. A plain interface, because the client carries no schemas. */
export interface Problem {
  /** `urn:portcullis:problem:<code>` */
  type: string;
  title: string;
  status: number;
  code: ProblemCode;
  detail: string;
  /** For the operator: the log has it, too. */
  requestId?: string | undefined;
  /** With `already-created`: the key that the first request created. */
  keyId?: string | undefined;
  /** What is wrong with a field (a JSON pointer) or with a parameter. */
  errors?: { pointer?: string | undefined; parameter?: string | undefined; detail: string }[] | undefined;
}

/** What the client throws when the service answers with a problem. */
export class ProblemError<C extends ProblemCode = ProblemCode> extends Error {
  override readonly name = "ProblemError";
  readonly problem: Problem & { code: C };
  /** How long the service asks to wait before another try. */
  readonly retryAfterMs: number | undefined;

  constructor(details: Problem & { code: C }, retryAfterMs?: number) {
    super(sentenceOf(details));
    this.problem = details;
    this.retryAfterMs = retryAfterMs;
  }

  get status(): number {
    return this.problem.status;
  }

  get code(): C {
    return this.problem.code;
  }
}

/** The problem in words. It names each field at fault, for whoever does not look at `errors`. */
export function sentenceOf({ code, detail, errors = [] }: Problem): string {
  if (errors.length === 0) return detail;
  const faults = errors.map((fault) => ({ ...fault, place: fault.parameter ?? fault.pointer?.slice(2) ?? "" }));
  // Its detail only points to the faults.
  if (code === "invalid-request")
    return faults
      .map(({ place, detail: why }) => `${place || "The body"} ${why}${why.endsWith("?") ? "" : "."}`)
      .join(" ");
  return [...faults.map(({ place }) => place).filter(Boolean), detail].join(": ");
}

/** Whether an error is a problem of the service; with codes, whether it is one of these. */
export function isProblem<C extends ProblemCode = ProblemCode>(
  error: unknown,
  ...codes: readonly C[]
): error is ProblemError<C> {
  return error instanceof ProblemError && (codes.length === 0 || codes.includes(error.code as C));
}
