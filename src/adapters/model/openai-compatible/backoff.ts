// Exponential backoff with jitter: the pause before another try. An endpoint's Retry-After comes first. Jitter keeps
// callers that were refused together from coming back together.

const FIRST_MS = 500;
const JITTER_MS = 250;

interface BackoffInput {
  /** The number of tries that failed before this one. */
  readonly tries: number;
  readonly retryAfter: string | undefined;
  readonly random: () => number;
  readonly now: number;
}

export function backoffMs({ tries, retryAfter, random, now }: BackoffInput): number {
  const requested = retryAfterMs(retryAfter, now);
  if (requested !== undefined) return requested + random() * JITTER_MS;
  return FIRST_MS * 2 ** tries * (0.5 + random() / 2);
}

/** Seconds or an HTTP date (RFC 9110, section 10.2.3). Any other value is ignored. */
function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? "";
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = /^[A-Z].* GMT$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
