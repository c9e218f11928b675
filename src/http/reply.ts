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
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream;
}

export function jsonReply(value: unknown, status = 200): HttpReply {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}

export function toResponse({ status = 200, headers, body }: HttpReply, requestId: string): Response {
  return new Response(body, { status, headers: { ...COMMON_HEADERS, ...headers, "x-request-id": requestId } });
}
