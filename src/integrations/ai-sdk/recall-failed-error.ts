import { ConnectionError } from "#contract/client/connection-error.ts";
import { ProblemError } from "#contract/problem.ts";

/** The memories could not be recalled, and the model was not called. */
export class RecallFailedError extends Error {
  override readonly name = "RecallFailedError";
  /** The code of the service's problem; or `unreachable`, `timeout` or `broken-off` when the service did not answer. */
  readonly code: string;

  constructor(cause: unknown) {
    const isKnown = cause instanceof ProblemError || cause instanceof ConnectionError;
    const why = isKnown ? cause.message : "the client failed.";
    super(`The model was not called, because its memories could not be recalled: ${why}`, { cause });
    this.code = isKnown ? cause.code : "unknown";
  }
}
