// When a request is sent again, and after which pause. A request that may have been carried out is repeated only if a
// repeat makes nothing more: a GET, or one with an Idempotency-Key. Any request is repeated that the service refused to
// begin.
import { isProblem } from "#contract/problem.ts";
import { ConnectionError } from "./connection-error.ts";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
/** A proxy's own answer, when it did not get one of the service. */
const GATEWAY_STATUS: ReadonlySet<number> = new Set([502, 503, 504]);

/** How long to wait before request number `attempt + 1`; undefined: do not send it. `attempt` counts from 1. */
export function pauseBeforeRetry(error: unknown, attempt: number, isRepeatable: boolean): number | undefined {
  if (!wasRefused(error) && !(isRepeatable && mayPass(error))) return undefined;
  const asked = isProblem(error) ? (error.retryAfterMs ?? 0) : 0;
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
  // Jitter, so that clients that were refused together do not return together.
  return asked + longest * (0.5 + Math.random() / 2);
}

/** The service did not begin with it. */
const wasRefused = (error: unknown): boolean => isProblem(error, "too-many-requests", "overloaded");

/** Another try may succeed. A time-out ends all of them. */
function mayPass(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.code !== "timeout";
  if (!isProblem(error)) return false;
  if (error.code === "unexpected-response") return GATEWAY_STATUS.has(error.status);
  return error.code === "in-progress" || (error.status === 503 && error.retryAfterMs !== undefined);
}

/** In milliseconds. Other forms than seconds are not read: no service of ours sends them. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const text = headers.get("retry-after") ?? "";
  return /^\d{1,6}$/.test(text) ? Number(text) * 1_000 : undefined;
}

/** Resolves after the time, or as soon as the signal aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
  });
}
