// What an endpoint answers with. http/app.ts makes the Response, with the headers that all have in common.

/** What every answer says to a browser: nothing here may be framed, guessed at, or kept, unless it says otherwise. */
const COMMON_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

export interface HttpReply {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** An iterable is sent piece by piece, as fast as the client takes it. */
  readonly body: string | Uint8Array<ArrayBuffer> | AsyncIterable<string>;
}

export function jsonReply(value: unknown, status = 200): HttpReply {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}

/** `onBroken` is told when a body breaks after its beginning was sent; it must cut the connection. */
export function toResponse(reply: HttpReply, requestId: string, onBroken: (error: unknown) => void): Response {
  const { status = 200, headers, body } = reply;
  const init = { status, headers: { ...COMMON_HEADERS, ...headers, "x-request-id": requestId } };
  return new Response(isIterable(body) ? streamOf(body, onBroken) : body, init);
}

function isIterable(body: HttpReply["body"]): body is AsyncIterable<string> {
  return typeof body === "object" && Symbol.asyncIterator in body;
}

/**
 * Not `ReadableStream.from`: the adapter below would write an error of the stream to the console and tell the client
 * its message, or end the body as if it were whole.
 */
function streamOf(pieces: AsyncIterable<string>, onBroken: (error: unknown) => void): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  const utf8 = new TextEncoder();
  let hasLeft = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await iterator.next();
          if (hasLeft) return;
          if (done === true) controller.close();
          else controller.enqueue(utf8.encode(value));
        } catch (error) {
          onBroken(error);
        }
      },
      async cancel() {
        hasLeft = true;
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
