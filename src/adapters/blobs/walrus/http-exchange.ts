// One HTTP request and its response. The body is read to its end, so that the connection can be used again, but never
// further than a limit. Every failure except an abort is a value; parse-response.ts decides what it means.
import { forwardAbort, untilAborted } from "#async/with-deadline.ts";
import { PortcullisError } from "#core/errors.ts";
import type { PutOptions } from "#ports.ts";
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

interface ExchangeInit extends Omit<FetchInit, "redirect" | "onSent">, Pick<PutOptions, "fence"> {
  readonly maxBytes: number;
}

export async function exchange(
  fetch: Fetch,
  url: string,
  { maxBytes, fence, ...init }: ExchangeInit,
): Promise<HttpReply> {
  const { signal } = init;
  signal.throwIfAborted();
  const send = async (more: Partial<FetchInit> = {}) =>
    readBody(await fetch(url, { ...init, redirect: "manual", ...more }), maxBytes);
  try {
    return await untilAborted(signal, fence === undefined ? send() : sendBehind(fence, signal, send));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PortcullisError) throw error;
    return { kind: "unreachable", isReset: RESETS.has(codeOf(error) ?? ""), cause: withoutMessage(error) };
  }
}

/** The fence is held until the request has left. A fence that is lost before cuts the connection. */
async function sendBehind(
  fence: NonNullable<PutOptions["fence"]>,
  signal: AbortSignal,
  send: (init: Partial<FetchInit>) => Promise<HttpReply>,
): Promise<HttpReply> {
  const controller = new AbortController();
  const unlink = forwardAbort(signal, controller);
  let reply: Promise<HttpReply> | undefined;
  try {
    await fence(async (lost) => {
      lost.throwIfAborted();
      const release = forwardAbort(lost, controller);
      const { promise: sent, resolve: onSent } = Promise.withResolvers<void>();
      reply = send({ signal: controller.signal, onSent });
      // Whatever ends it, nothing more leaves.
      await Promise.race([
        sent,
        reply.then(
          () => undefined,
          () => undefined,
        ),
      ]);
      release();
      lost.throwIfAborted();
    });
    if (reply === undefined) throw new Error("the fence did not run its action");
    return await reply;
  } finally {
    unlink();
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
