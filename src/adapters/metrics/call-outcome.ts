import { PortcullisError } from "#core/errors.ts";
import type { Metrics } from "#ports.ts";

/** `ok`, the code of one of our errors, `aborted` when the caller gave up, or `failed`. */
function outcomeOf(error: unknown): string {
  if (error instanceof PortcullisError) return error.code;
  return error instanceof Error && error.name === "AbortError" ? "aborted" : "failed";
}

/** Measures a call: `observe` is told how many seconds it took, and its outcome. */
export async function measured<T>(
  call: () => Promise<T>,
  observe: (seconds: number, outcome: string) => void,
  outcomeOfResult: (result: T) => string = () => "ok",
): Promise<T> {
  const began = performance.now();
  let outcome = "failed";
  try {
    const result = await call();
    outcome = outcomeOfResult(result);
    return result;
  } catch (error) {
    outcome = outcomeOf(error);
    throw error;
  } finally {
    observe((performance.now() - began) / 1_000, outcome);
  }
}

export type Observer = Pick<Metrics, "add" | "observe">;
