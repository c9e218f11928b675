// Structured logs. They never hold memory text, queries or secrets: log ids, routes, codes and counts, and errors only
// through `error`, which keeps what we wrote ourselves (codes, our messages, stack frames) and drops the rest.
import { type DestinationStream, type Logger, pino } from "pino";
import { CodedError } from "./core/errors.ts";

export type Log = Pick<Logger, "info" | "warn" | "error">;

export function createLog({ level, destination }: { level: string; destination?: DestinationStream }): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { error: describe } };
  return destination === undefined ? pino(options) : pino(options, destination);
}

interface Described {
  readonly name: string;
  readonly code?: string;
  readonly message?: string;
  readonly at: readonly string[];
  readonly cause?: Described;
}

const FRAMES = 8;
const CAUSES = 3;
const WORD = /^[\w-]{1,48}$/;

/** Of an error that is not ours, only what cannot quote what was being worked on. */
function describe(error: unknown, causes: number = CAUSES): Described {
  if (!(error instanceof Error)) return { name: typeof error, at: [] };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return {
    name: WORD.test(error.name) ? error.name : "Error",
    ...(code !== undefined && WORD.test(code) && { code }),
    ...(error instanceof CodedError && { message: error.message }),
    at: framesOf(error),
    ...(error.cause !== undefined && causes > 0 && { cause: describe(error.cause, causes - 1) }),
  };
}

/** The stack begins with name and message, which may have lines that look like frames. What comes after is the frames. */
function framesOf({ name, message, stack = "" }: Error): string[] {
  const start = stack.indexOf(message);
  if (start === -1 || !WORD.test(name)) return [];
  const lines = stack.slice(start + message.length).split("\n");
  return lines
    .map((line) => line.trim())
    .filter((line) => line.startsWith("at "))
    .slice(0, FRAMES);
}
