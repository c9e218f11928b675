// Turns the error that ended a command into one sentence with advice, and an exit code. No stack traces.
import { ConnectionError } from "#contract/client/read-reply.ts";
import { ProblemError } from "#contract/problem.ts";
import { PortcullisError } from "#core/errors.ts";
import { UsageError } from "./invocation.ts";
import { EXIT } from "./table/command.ts";
import type { CommandName } from "./table/command-table.ts";

export interface Failure {
  readonly exitCode: number;
  /** A stable code, when the service or the project gave one. */
  readonly code?: string;
  readonly sentence: string;
}

const EXIT_CODES: ReadonlyMap<string, number> = new Map([
  ["not-found", EXIT.notFound],
  ["invalid-request", EXIT.usage],
]);

const EXIT_CODES_BY_STATUS: ReadonlyMap<number, number> = new Map([
  ...[400, 422].map((status) => [status, EXIT.usage] as const),
  ...[401, 403].map((status) => [status, EXIT.refused] as const),
  ...[404, 410].map((status) => [status, EXIT.notFound] as const),
  ...[429, 502, 503, 504].map((status) => [status, EXIT.unreachable] as const),
]);

export function failureOf(error: unknown, name: CommandName | undefined): Failure {
  if (error instanceof UsageError) {
    const help = name === undefined ? "" : ` portcullis ${name} --help shows how.`;
    return { exitCode: EXIT.usage, code: "usage", sentence: `${error.message}${help}` };
  }
  const broken = connectionFailure(error);
  if (broken !== undefined) return { exitCode: EXIT.unreachable, code: "unreachable", sentence: broken };
  if (error instanceof ProblemError) return failureOfProblem(error);
  if (!(error instanceof PortcullisError)) return { exitCode: EXIT.failed, sentence: sentenceOf(error) };
  const exitCode = EXIT_CODES.get(error.code) ?? EXIT.failed;
  return { exitCode, code: error.code, sentence: sentenceOf(error) };
}

function failureOfProblem({ message, status, code }: ProblemError): Failure {
  const exitCode = EXIT_CODES_BY_STATUS.get(status) ?? EXIT.failed;
  const advice = status === 401 ? " Set PORTCULLIS_KEY, or name a file with --key-file." : "";
  return { exitCode, code, sentence: `${message}${advice}` };
}

const START = "Start one with portcullis serve, or name another with --url or PORTCULLIS_URL.";

/** A body that is read as it comes fails with a TypeError when its connection breaks. */
function connectionFailure(error: unknown): string | undefined {
  if (error instanceof TypeError && error.message === "terminated")
    return "The connection to the service broke off. Try again.";
  if (!(error instanceof ConnectionError)) return undefined;
  // What is too large comes again.
  if (error.code === "too-large") return sentenceOf(error);
  return `${sentenceOf(error)} ${error.code === "unreachable" ? START : "Try again later."}`;
}

function sentenceOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  if (error instanceof Error && "code" in error && error.code === "ENOENT" && "path" in error)
    return `There is no file ${error.path}.`;
  // The error of several failed connections has a code and no message.
  const why = cause instanceof Error ? ` (${cause.message || ("code" in cause && cause.code)})` : "";
  return `${message}${why}`;
}
