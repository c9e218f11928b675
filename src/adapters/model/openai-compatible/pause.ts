// How long to wait before the next try: as long as the endpoint asked for, or else longer each time. Jitter keeps those
// who were turned away together from coming back together.

const FIRST_MS = 500;
const JITTER_MS = 250;

export interface Turned {
  readonly tried: number;
  readonly retryAfter: string | undefined;
  readonly random: () => number;
  readonly now: number;
}

export function pauseBefore({ tried, retryAfter, random, now }: Turned): number {
  const asked = retryAfterMs(retryAfter, now);
  if (asked !== undefined) return asked + random() * JITTER_MS;
  return FIRST_MS * 2 ** tried * (0.5 + random() / 2);
}

/** Seconds or an HTTP date (RFC 9110, 10.2.3). Anything else asks for nothing. */
function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? "";
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = /^[A-Z].* GMT$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
