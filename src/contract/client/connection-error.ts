/** `unreachable`: no response came. `timeout`: not within the time. `broken-off`: the response ended before its end. */
export type ConnectionFault = "unreachable" | "timeout" | "broken-off";

/** What the client throws when the service gave no answer. Whether it carried out the request is not known. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly code: ConnectionFault;

  constructor(code: ConnectionFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** `fetch` fails with a TypeError when there is no connection, or the connection ends in the middle of a body. */
export function asConnectionError(error: unknown, baseUrl: string): unknown {
  if (error instanceof SyntaxError)
    return new ConnectionError("broken-off", "The response is not complete, or it is not from this service.", error);
  if (!(error instanceof TypeError)) return error;
  const where = baseUrl === "" ? "The service" : `The service at ${baseUrl}`;
  // Node says "fetch failed", and has the reason in the cause.
  return new ConnectionError("unreachable", `${where} cannot be reached.`, error.cause ?? error);
}
