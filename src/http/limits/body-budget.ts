// A bound on the memory of long bodies, by caller and in all: a request holds its body until it is answered, and a model
// may take minutes. Room is taken before a byte is read. What is short is bounded by the number of requests.
import { PortcullisError } from "#core/errors.ts";
import { BODY_LIMIT } from "#http/request/body.ts";
import type { Metrics } from "#ports.ts";

const OF_A_CALLER = 16 * 1024 * 1024;
const OF_ALL = 64 * 1024 * 1024;

export type BodyBudget = ReturnType<typeof createBodyBudget>;

export function createBodyBudget({ ofCaller = OF_A_CALLER, ofAll = OF_ALL } = {}, metrics?: Pick<Metrics, "add">) {
  const held = new Map<string, number>();
  let total = 0;

  function change(caller: string, bytes: number): void {
    const own = (held.get(caller) ?? 0) + bytes;
    total += bytes;
    if (own > 0) held.set(caller, own);
    else held.delete(caller);
  }

  return {
    /** Takes room for the body of a request, up to `limit` bytes. Call what it returns when the request is answered. */
    take(caller: string, { headers }: Request, limit: number): () => void {
      const bytes = Math.min(limit, Number(headers.get("content-length") ?? limit));
      if (!(bytes > BODY_LIMIT)) return () => undefined;
      const code =
        (held.get(caller) ?? 0) + bytes > ofCaller
          ? "too-many-requests"
          : total + bytes > ofAll
            ? "overloaded"
            : undefined;
      if (code !== undefined) {
        metrics?.add("requestsRefused", "long-bodies");
        throw new PortcullisError(code, "Too many requests with long bodies are under way. Try again in a moment.");
      }
      change(caller, bytes);
      return () => change(caller, -bytes);
    },
    bytes: (): number => total,
  };
}
