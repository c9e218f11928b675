// One request and what came back, read to the end so that the connection can be used again, and never further than a
// limit. Whatever happens short of the signal is a value: what it means is for verdict.ts to say.
import { orAborted } from "./deadline.ts";
import type { Fetch, Fetched, FetchInit } from "./http-fetch.ts";

export type Reply =
  | { readonly kind: "answered"; readonly status: number; readonly body: Uint8Array; readonly retryAfterMs?: number }
  /** The connection ended within the body. */
  | { readonly kind: "cut"; readonly status: number; readonly body: Uint8Array; readonly cause: Error }
  | { readonly kind: "too-long"; readonly status: number }
  | { readonly kind: "unreached"; readonly isReset: boolean; readonly cause: Error };

export async function exchange(
  fetch: Fetch,
  url: string,
  { maxBytes, ...init }: Omit<FetchInit, "redirect"> & { readonly maxBytes: number },
): Promise<Reply> {
  const { signal } = init;
  signal.throwIfAborted();
  try {
    const reply = fetch(url, { ...init, redirect: "manual" }).then((response) => readBody(response, maxBytes));
    return await orAborted(signal, reply);
  } catch (error) {
    signal.throwIfAborted();
    return { kind: "unreached", isReset: RESETS.has(codeOf(error) ?? ""), cause: withoutWords(error) };
  }
}

async function readBody({ status, headers, body }: Fetched, maxBytes: number): Promise<Reply> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    // Leaving the loop early ends the connection, so that nobody sends what nobody reads.
    for await (const chunk of body ?? []) {
      length += chunk.length;
      if (length > maxBytes) return { kind: "too-long", status };
      chunks.push(chunk);
    }
  } catch (error) {
    return { kind: "cut", status, body: Buffer.concat(chunks), cause: withoutWords(error) };
  }
  const retryAfterMs = retryAfter(headers.get("Retry-After"));
  const whole = Buffer.concat(chunks);
  return { kind: "answered", status, body: whole, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** RFC 9110, 10.2.3: seconds, or a date. Anything else is as good as none. */
function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

const RESETS = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/** The first code in the chain of causes: the global fetch itself only says "fetch failed". */
function codeOf(error: unknown): string | undefined {
  let at = error;
  for (let depth = 0; depth < 5 && at instanceof Error; depth += 1, at = at.cause) {
    if ("code" in at && typeof at.code === "string" && /^[A-Z]\w{1,47}$/.test(at.code)) return at.code;
  }
  return undefined;
}

/** A cause to show: messages of a client may quote URLs and headers, so only the code is kept. */
function withoutWords(error: unknown): Error {
  const code = codeOf(error);
  return Object.assign(new Error(code ?? "The connection failed."), code !== undefined && { code });
}
