// The part of fetch that this adapter needs, over Node's own HTTP client. The many small reads of one answer are bound
// by CPU time, and through the global fetch with its web streams they take almost twice as much. It follows no
// redirects, asks for no compression, and has no cookies and no cache.
import { Agent as HttpAgent, type IncomingMessage, request as overHttp } from "node:http";
import { Agent as HttpsAgent, request as overHttps } from "node:https";

export interface FetchInit {
  readonly method: "GET" | "PUT";
  readonly headers: Record<string, string>;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
  readonly redirect: "manual";
  /** Called when the operating system has all bytes of the request. The global fetch does not tell. */
  readonly onSent?: (() => void) | undefined;
}

/** The global fetch has this type too. */
export type Fetch = (url: string, init: FetchInit) => Promise<Fetched>;

export interface Fetched {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}

// Connections live as long as the process. The semaphores in walrus-blobs.ts bound their number.
const httpAgent = new HttpAgent({ keepAlive: true });
const httpsAgent = new HttpsAgent({ keepAlive: true });

export const httpFetch: Fetch = (url, { method, headers, body, signal, onSent }) => {
  const { promise, resolve, reject } = Promise.withResolvers<Fetched>();
  // Some CDNs refuse requests without a User-Agent.
  const options = { ...addressOf(url), method, headers: { Accept: "*/*", "User-Agent": "portcullis", ...headers } };
  const request = url.startsWith("https:")
    ? overHttps({ ...options, agent: httpsAgent })
    : overHttp({ ...options, agent: httpAgent });
  request.on("response", (response) => resolve(fetched(response)));
  request.on("error", reject);
  // The option `signal` of `request` does the same, but costs more: it watches the whole stream for its end.
  const stop = () => request.destroy();
  signal.addEventListener("abort", stop, { once: true });
  request.on("close", () => signal.removeEventListener("abort", stop));
  request.end(body, onSent);
  return promise;
};

// A cache, because parsing the URL of every read is measurable. There are few origins, and they never change.
const origins = new Map<string, { readonly hostname: string; readonly port: string }>();

function addressOf(url: string): { hostname: string; port: string; path: string } {
  const end = url.indexOf("/", "https://".length);
  const origin = url.slice(0, end);
  const { hostname, port } = origins.get(origin) ?? new URL(origin);
  origins.set(origin, { hostname, port });
  // Node takes an IPv6 address without its brackets.
  return { hostname: hostname.replace(/^\[|\]$/g, ""), port, path: url.slice(end) };
}

function fetched(response: IncomingMessage): Fetched {
  return {
    status: response.statusCode ?? 0,
    headers: { get: (name) => [response.headers[name.toLowerCase()]].flat()[0] ?? null },
    body: response,
  };
}
