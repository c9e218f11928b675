// Structured logs. They never hold memory text, queries or secrets. Log ids, routes, codes and counts, and log errors
// only under the key `error`: its serializer keeps codes, our own messages and stack frames, and drops the rest.
import { type DestinationStream, type Logger, pino } from "pino";
import { CodedError } from "./core/errors.ts";

export type Log = Pick<Logger, "info" | "warn" | "error">;

export function createLog({ level, destination }: { level: string; destination?: DestinationStream }): Log {
  const serializers = { error: serializeError };
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers };
  return pino(options, destination ?? linesOfTurns());
}

/** Writes the lines of one turn of the event loop at once: each write is a system call, and every request has a line. */
function linesOfTurns(): DestinationStream {
  const stdout = pino.destination({ sync: true });
  let lines = "";
  function flush(): void {
    if (lines !== "") stdout.write(lines);
    lines = "";
  }
  process.on("exit", flush);
  return {
    write(line) {
      if (lines === "") setImmediate(flush);
      lines += line;
    },
  };
}

const MAX_FRAMES = 8;
const MAX_CAUSES = 3;
const WORD = /^[\w-]{1,48}$/;

/** Keeps of a foreign error only what cannot quote the data in progress. */
function serializeError(error: unknown, causes: number = MAX_CAUSES): object {
  if (!(error instanceof Error)) return { name: typeof error, at: [] };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return {
    name: WORD.test(error.name) ? error.name : "Error",
    ...(code !== undefined && WORD.test(code) && { code }),
    ...(error instanceof CodedError && { message: error.message }),
    at: framesOf(error),
    ...(error.cause !== undefined && causes > 0 && { cause: serializeError(error.cause, causes - 1) }),
  };
}

/** A stack begins with the name and the message, and a line of the message may look like a frame. Frames follow it. */
function framesOf({ name, message, stack = "" }: Error): string[] {
  const start = stack.indexOf(message);
  if (start === -1 || !WORD.test(name)) return [];
  const lines = stack.slice(start + message.length).split("\n");
  return lines
    .map((line) => line.trim())
    .filter((line) => line.startsWith("at "))
    .slice(0, MAX_FRAMES);
}
