// What the app keeps for a caller is forgotten when the caller changes: cached answers, conversations, imports, and the
// requests that are still under way. Whoever keeps something registers here.

const forgetters = new Set<() => void>();
let requests = new AbortController();

/** `forget` runs whenever somebody signs in or out. */
export function whenCallerChanges(forget: () => void): void {
  forgetters.add(forget);
}

/** Aborts with the current caller: a late response must not reach the next one. */
export const callerSignal = (): AbortSignal => requests.signal;

export function forgetCaller(): void {
  requests.abort();
  requests = new AbortController();
  for (const forget of forgetters) forget();
}
