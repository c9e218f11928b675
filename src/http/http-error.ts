import type { HttpErrorCode } from "#contract/problem.ts";
import { CodedError } from "#core/errors.ts";

/** A request that failed in the HTTP layer and reached no service. */
export class HttpError extends CodedError {
  override readonly name = "HttpError";
  readonly code: HttpErrorCode;

  constructor(code: HttpErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
