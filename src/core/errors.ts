// The one error of the project. Its code is stable and part of the API; http/problem.ts turns it into a status.

export type ErrorCode =
  | "invalid-request"
  | "malformed-json"
  | "nesting-too-deep"
  | "body-too-large"
  | "unsupported-media-type"
  | "malformed-http"
  | "forbidden-host"
  | "cross-origin"
  | "not-found"
  | "blob-not-found"
  | "method-not-allowed"
  | "policy-changed"
  | "records-unavailable"
  | "blob-store-failed"
  | "model-failed"
  | "model-unavailable"
  | "model-timeout"
  | "verifier-busy"
  | "ledger-refused"
  | "ledger-no-gas"
  | "ledger-unavailable"
  | "ledger-timeout"
  | "configuration"
  | "internal";

/** What is wrong with one field: `pointer` is a JSON pointer into the body (RFC 9457), `parameter` a query parameter. */
export interface FieldFault {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly detail: string;
}

interface ErrorOptions {
  readonly fields?: readonly FieldFault[];
  readonly cause?: unknown;
}

/** The message is written for the person who has to act on it. It never holds memory text, queries or secrets. */
export class PortcullisError extends Error {
  override readonly name = "PortcullisError";
  readonly code: ErrorCode;
  readonly fields: readonly FieldFault[];

  constructor(code: ErrorCode, message: string, { fields = [], cause }: ErrorOptions = {}) {
    super(message, { cause });
    this.code = code;
    this.fields = fields;
  }
}
