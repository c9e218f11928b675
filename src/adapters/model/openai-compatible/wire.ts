// The fetch that the SDK is given, one for each try. It notes what came over the wire, so that a failure is judged by
// that and not by the SDK's errors, which hold prompt and answer and change from version to version.

export interface Seen {
  status?: number;
  retryAfter?: string | undefined;
  /** The connection failed, before the answer or within it: the system's code for that. */
  broken?: string;
  /** A part of the answer was passed on. */
  hasPassedOn: boolean;
}

/** Far above any answer that is not cut anyway, with the frames of a stream around every token. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

export function watchedFetch(fetch: typeof globalThis.fetch, seen: Seen): typeof globalThis.fetch {
  return async (url, init) => {
    try {
      // A redirect would carry the prompt to a place that nobody configured.
      const response = await fetch(url, { ...init, headers: ourHeaders(init?.headers), redirect: "manual" });
      seen.status = response.status;
      seen.retryAfter = response.headers.get("retry-after") ?? undefined;
      return new Response(response.body && watchedBody(response.body, seen), response);
    } catch (error) {
      noteBreak(error, seen);
      throw error;
    }
  };
}

/** The SDK's own headers say which versions run here. That is nobody's business. */
function ourHeaders(given: RequestInit["headers"]): Headers {
  const headers = new Headers(given);
  headers.set("user-agent", "portcullis");
  return headers;
}

function watchedBody(body: ReadableStream<Uint8Array>, seen: Seen): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let left = MAX_BODY_BYTES;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        left -= value.length;
        if (left < 0) throw new RangeError("The body is too long.");
        controller.enqueue(value);
      } catch (error) {
        noteBreak(error, seen);
        controller.error(error);
        await reader.cancel().catch(() => undefined);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** fetch says `fetch failed` or `terminated` and puts the reason into the cause. Without one, it was our own mistake. */
function noteBreak(error: unknown, seen: Seen): void {
  const cause = error instanceof TypeError ? error.cause : undefined;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") seen.broken = cause.code;
}
