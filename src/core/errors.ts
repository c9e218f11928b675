// The errors of the project. Their codes are part of the API; problems.json has them all, with what HTTP makes of each.
import type problems from "./problems.json";

type Problems = typeof problems;
/** Codes of the HTTP layer: the request reached no service. */
export type HttpErrorCode = {
  [Code in keyof Problems]: Problems[Code] extends { readonly http: boolean } ? Code : never;
}[keyof Problems];
export type ErrorCode = Exclude<keyof Problems, HttpErrorCode>;

/** What is wrong with one field: `pointer` is a JSON pointer into the body (RFC 9457), `parameter` a query parameter. */
export interface FieldFault {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly detail: string;
}

/** What an earlier request with the same Idempotency-Key made. */
export interface Made {
  readonly keyId?: string;
}

interface ErrorOptions {
  readonly fields?: readonly FieldFault[];
  readonly made?: Made;
  readonly cause?: unknown;
}

/** An error whose message we wrote, for whoever has to act on it. It holds no text, question or secret. */
export abstract class CodedError extends Error {
  abstract readonly code: string;
  readonly fields: readonly FieldFault[];
  readonly made: Made;

  constructor(message: string, { fields = [], made = {}, cause }: ErrorOptions = {}) {
    super(message, { cause });
    this.fields = fields;
    this.made = made;
  }
}

export class PortcullisError extends CodedError {
  override readonly name = "PortcullisError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** The same error, about a part of the body. */
  at(pointer: string): PortcullisError {
    return new PortcullisError(this.code, this.message, {
      fields: [{ pointer, detail: this.message }],
      cause: this.cause,
    });
  }
}

/** For a request whose shape is right, and some of whose values are not. */
export const invalidFields = (...fields: readonly FieldFault[]): PortcullisError =>
  new PortcullisError("invalid-request", "Some fields are not valid; `errors` lists them.", { fields });

/** For whoever runs the service or a command: a setting, an option or a file is not as it must be. */
export const configurationError = (message: string, cause?: unknown): PortcullisError =>
  new PortcullisError("configuration", message, { cause });

/** There is no room for a write. It was not recorded, and succeeds when there is room again. */
export function storageFull(cause?: unknown): PortcullisError {
  const message =
    "The disk of the database is full, so nothing new can be recorded. It works again when there is room.";
  return new PortcullisError("storage-full", message, { cause });
}
