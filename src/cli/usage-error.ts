/** The command line is not right. The message says what to write. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
