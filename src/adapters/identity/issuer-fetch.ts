// Fetches small documents of an issuer: with a deadline, a bound on their size, and no redirects. After a failure it
// fails at once for a moment, so that an issuer that is down does not hold up every request.
import { withDeadline } from "#async/with-deadline.ts";
import { PortcullisError } from "#core/errors.ts";

const DEADLINE_MS = 5_000;
const MAX_BYTES = 256 * 1024;

export interface Fetched {
  readonly status: number;
  readonly text: string;
}

export type IssuerFetch = (url: string) => Promise<Fetched>;

export function issuerFetch({ fetch, retryMs }: { fetch: typeof globalThis.fetch; retryMs: number }): IssuerFetch {
  let failedAt = Number.NEGATIVE_INFINITY;
  return async (url) => {
    if (performance.now() - failedAt < retryMs) throw issuerUnavailable();
    try {
      return await withDeadline(DEADLINE_MS, async ({ signal }) => {
        const headers = { accept: "application/json" };
        const response = await fetch(url, { redirect: "manual", signal, headers });
        if (response.status >= 500) throw new Error(`the issuer answered ${response.status}`);
        return { status: response.status, text: await boundedText(response) };
      });
    } catch (cause) {
      failedAt = performance.now();
      throw issuerUnavailable(cause);
    }
  };
}

export function issuerUnavailable(cause?: unknown): PortcullisError {
  return new PortcullisError(
    "issuer-unavailable",
    "The keys of the identity provider cannot be had. Try again shortly.",
    {
      cause,
    },
  );
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early closes the connection, so the server stops sending.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new Error("the document is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
