// Requests that the page began before the app was there (web/preload-pages.ts). Whoever asks for the same first is given the
// reply. So a page of the app waits for its code and for its data at once.
const { earlyRequests: begun = new Map() } = globalThis as {
  readonly earlyRequests?: Map<string, Promise<Response>>;
};

/** As `fetch`. */
export async function fetchOrTakeEarly(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const url = String(input);
  const early = (init.method ?? "GET") === "GET" ? begun.get(url) : undefined;
  begun.delete(url);
  if (early === undefined) return fetch(input, init);
  const response = await early;
  init.signal?.throwIfAborted();
  return response;
}

/** They were another caller's. */
export const forgetEarlyRequests = (): void => begun.clear();
