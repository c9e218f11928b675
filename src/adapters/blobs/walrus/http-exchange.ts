// One HTTP request and its response. The body is read to its end, so that the connection can be used again, but never
// further than a limit. Every failure except an abort, and a refusal of the fence, is a value; parse-response.ts decides
// what it means.
import { ConnectionFailure, fencedRequest, type HttpResponse, type RequestOptions } from "#adapters/fenced-request.ts";
import { retryAfterMs } from "#core/backoff.ts";
import { collectBytes, readUpTo } from "#core/encoding/read-up-to.ts";

export type HttpReply =
  | {
      readonly kind: "complete";
      readonly status: number;
      readonly body: Uint8Array;
      readonly retryAfterMs?: number | undefined;
    }
  /** The connection ended before the body did. */
  | { readonly kind: "truncated"; readonly status: number; readonly body: Uint8Array; readonly cause: Error }
  | { readonly kind: "too-large"; readonly status: number }
  | { readonly kind: "unreachable"; readonly isReset: boolean; readonly cause: Error };

interface ExchangeInit extends RequestOptions {
  readonly maxBytes: number;
}

/** What a connection may end with that stood. We cut it when the fence was lost. */
const RESETS: ReadonlySet<string | undefined> = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED"]);

export async function exchange(url: string, { maxBytes, ...init }: ExchangeInit): Promise<HttpReply> {
  const { signal } = init;
  const read = collectBytes();
  let response: HttpResponse | undefined;
  try {
    response = await fencedRequest(url, init);
    const { status, headers } = response;
    const body = await readUpTo(maxBytes, response.body, read);
    if (body === undefined) return { kind: "too-large", status };
    return { kind: "complete", status, body, retryAfterMs: retryAfterMs(headers["retry-after"], Date.now()) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ConnectionFailure)) throw error;
    if (response === undefined) return { kind: "unreachable", isReset: RESETS.has(error.code), cause: error };
    return { kind: "truncated", status: response.status, body: read.bytes(), cause: error };
  }
}
