// One HTTP request and its response. The body is read to its end, so that the connection can be used again, but never
// further than a limit. Every failure except an abort is a value; parse-response.ts decides what it means.
import { untilAborted } from "#async/with-deadline.ts";
import type { Fetch, Fetched, FetchInit } from "./http-fetch.ts";

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

export async function exchange(
  fetch: Fetch,
  url: string,
  { maxBytes, ...init }: Omit<FetchInit, "redirect"> & { readonly maxBytes: number },
): Promise<HttpReply> {
  const { signal } = init;
  signal.throwIfAborted();
  try {
    const reply = fetch(url, { ...init, redirect: "manual" }).then((response) => readBody(response, maxBytes));
    return await untilAborted(signal, reply);
  } catch (error) {
    signal.throwIfAborted();
    return { kind: "unreachable", isReset: RESETS.has(codeOf(error) ?? ""), cause: withoutMessage(error) };
  }
}

async function readBody({ status, headers, body }: Fetched, maxBytes: number): Promise<HttpReply> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    // Leaving the loop early closes the connection, so the server stops sending.
    for await (const chunk of body ?? []) {
      length += chunk.length;
      if (length > maxBytes) return { kind: "too-large", status };
      chunks.push(chunk);
    }
  } catch (error) {
    return { kind: "truncated", status, body: Buffer.concat(chunks), cause: withoutMessage(error) };
  }
  const retryAfterMs = parseRetryAfter(headers.get("Retry-After"));
  return { kind: "complete", status, body: Buffer.concat(chunks), retryAfterMs };
}

/** RFC 9110, 10.2.3: seconds, or a date. Any other value is ignored. */
function parseRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

const RESETS = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/** The first code in the chain of causes. The global fetch itself only says "fetch failed". */
function codeOf(error: unknown): string | undefined {
  let at = error;
  for (let depth = 0; depth < 5 && at instanceof Error; depth += 1, at = at.cause) {
    if ("code" in at && typeof at.code === "string" && /^[A-Z]\w{1,47}$/.test(at.code)) return at.code;
  }
  return undefined;
}

/** A cause that is safe to show. Messages of HTTP clients may quote URLs and headers, so only the code is kept. */
function withoutMessage(error: unknown): Error {
  const code = codeOf(error);
  return Object.assign(new Error(code ?? "The connection failed."), code !== undefined && { code });
}
