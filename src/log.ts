// Structured logs. They never hold memory text, queries or secrets: log ids, routes, codes and counts, and errors only
// through `error`, which keeps what we wrote ourselves (codes, our messages, stack frames) and drops the rest.
import { type DestinationStream, type Logger, pino } from "pino";
import { PortcullisError } from "./core/errors.ts";

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

/** Messages of errors that are not ours may quote what was being worked on, so they are left out. */
function describe(error: unknown, causes: number = CAUSES): Described {
  if (!(error instanceof Error)) return { name: typeof error, at: [] };
  const code = "code" in error ? String(error.code) : undefined;
  return {
    name: error.name,
    ...(code !== undefined && { code }),
    ...(error instanceof PortcullisError && { message: error.message }),
    at: (error.stack ?? "")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line.startsWith("at "))
      .slice(0, FRAMES),
    ...(error.cause !== undefined && causes > 0 && { cause: describe(error.cause, causes - 1) }),
  };
}
