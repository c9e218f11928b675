// Exponential backoff: the pause after a failure, twice as long after each further one.

interface Pauses {
  readonly firstMs: number;
  readonly longestMs?: number;
}

/** `failures` counts those before the one that is followed by this pause. */
export const backoffMs = (failures: number, { firstMs, longestMs = Number.POSITIVE_INFINITY }: Pauses): number =>
  Math.min(firstMs * 2 ** failures, longestMs);

/** From half of the pause to all of it, so that clients that were refused together do not return together. */
export const jitteredBackoffMs = (failures: number, pauses: Pauses, random = Math.random): number =>
  backoffMs(failures, pauses) * (0.5 + random() / 2);

/** The milliseconds that a Retry-After asks for: seconds or an HTTP date (RFC 9110, 10.2.3). Undefined if absent or malformed. */
export function retryAfterMs(header: string | null | undefined, now: number): number | undefined {
  const value = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = /^[A-Z].* GMT$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
