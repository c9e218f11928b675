// The fetch that the SDK is given, one for each try. It notes what came over the wire, so that a failure is judged by
// that and not by the SDK's errors, which hold prompt and answer and change from version to version.
import type { Gate, Post } from "./post.ts";

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

const open: Gate = async (send) => send();

export function watchedFetch(post: Post, seen: Seen, gate: Gate = open): typeof globalThis.fetch {
  return async (url, init) => {
    try {
      const headers = ourHeaders(init?.headers);
      const sent = { headers, body: String(init?.body), signal: init?.signal, gate };
      const endpoint = new URL(String(url));
      if (endpoint.username !== "" || endpoint.password !== "") throw new TypeError("The URL has a password.");
      const response = await post(endpoint, sent);
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

/** An error of the system has a code. Node's own complaint about what it was given is our mistake, and no other try helps. */
function noteBreak(error: unknown, seen: Seen): void {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return;
  if (!error.code.startsWith("ERR_INVALID_")) seen.broken = error.code;
}
