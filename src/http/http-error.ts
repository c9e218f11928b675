import { CodedError, type HttpErrorCode } from "#core/errors.ts";

/** A request that failed in the HTTP layer and reached no service. */
export class HttpError extends CodedError {
  override readonly name = "HttpError";
  readonly code: HttpErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: HttpErrorCode,
    message: string,
    { headers = {}, ...options }: { readonly cause?: unknown; readonly headers?: HttpError["headers"] } = {},
  ) {
    super(message, options);
    this.code = code;
    this.headers = headers;
  }
}
