// Where a request comes from, and where its client sees us. Behind a proxy of TRUST_PROXY both are what the proxy says.
import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import { withoutBasePath } from "#core/base-path.ts";
import { HttpError } from "#http/http-error.ts";
import type { Credentials } from "#service/identity/authenticator.ts";
import { createProxyReader, type ProxyOptions } from "./trusted-proxies.ts";

export interface ClientConnection {
  readonly address: string;
  /** The Host that the client asked for. */
  readonly host: string;
  /** The path under which the client sees us; empty for `/`. */
  readonly basePath: string;
  /** Where the client sees us, `http://127.0.0.1:3000` or `https://example.org/memory` for example. */
  readonly baseUrl: () => string;
  /** The origin of a client with credentials. Off loopback they travel over TLS only, also when a proxy ends it. */
  readonly secureOrigin: () => string;
}

export interface TransportOptions extends ProxyOptions {
  /** Credentials travel: refuse what came over the network without TLS. */
  readonly requiresTls?: boolean | undefined;
}

export function createConnectionReader({ requiresTls = false, ...proxyOptions }: TransportOptions) {
  const provenanceOf = createProxyReader(proxyOptions);

  /** With `mayBePlain`, TLS is not asked for: a probe of health carries no credentials. */
  return function connectionOf(
    request: Request,
    incoming: Pick<IncomingMessage, "socket" | "headers">,
    { mayBePlain = false }: { readonly mayBePlain?: boolean } = {},
  ): ClientConnection {
    const { peer, isFromProxy, address, isHttps, basePath, host: forwardedHost } = provenanceOf(incoming);
    const isSecure = (incoming.socket as Partial<TLSSocket>).encrypted === true || isHttps;
    if (requiresTls && !mayBePlain && !isSecure && !(isLoopback(peer) && !isFromProxy)) {
      throw new HttpError("insecure-transport", INSECURE);
    }
    const host = forwardedHost ?? incoming.headers.host ?? new URL(request.url).host;
    // The URL has the forwarded host (createArrival), in lower case and without the scheme's own port.
    const urlHost = () => new URL(request.url).host;
    return {
      address,
      host,
      basePath,
      baseUrl: () => `${isSecure ? "https" : "http"}://${urlHost()}${basePath}`,
      secureOrigin: () => `${isSecure || !isLoopbackHost(host) ? "https" : "http"}://${urlHost()}`,
    };
  };
}

const INSECURE =
  "Keys and tokens travel over TLS only. Use https. A proxy that ends TLS must be in TRUST_PROXY and say that the client used https, in X-Forwarded-Proto for example.";

const isLoopback = (address: string): boolean => address === "::1" || address.startsWith("127.");

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
export const isLoopbackHost = (host: string): boolean => LOOPBACK.test(host);

const BEARER = /^bearer +([\x21-\x7e]+) *$/i;

/** A header that is not a bearer's counts as a bearer that nobody has. With a bearer, a cookie does not count. */
export function credentialsOf(request: Request, client: ClientConnection): Credentials {
  const authorization = request.headers.get("authorization");
  if (authorization !== null) return { bearer: BEARER.exec(authorization)?.[1] ?? "" };
  const session = sessionIdOf(request, client);
  return session === undefined ? {} : { session };
}

// The cookie of a session. Its prefix makes a browser keep it to this host and to TLS (RFC 6265bis, 4.1.3). On this
// machine there may be no TLS, and the name has no prefix. Below a base path the cookie goes to that path only, because
// other services share the host; `__Host-` does not allow that, so the prefix keeps it to TLS alone.

const SESSION_ID = /^[\w-]{43}$/;

const isSecure = (client: ClientConnection): boolean => client.secureOrigin().startsWith("https:");

function nameFor(client: ClientConnection): string {
  if (!isSecure(client)) return "portcullis";
  return client.basePath === "" ? "__Host-portcullis" : "__Secure-portcullis";
}

/** The id in the request's cookie; undefined if absent or malformed. */
function sessionIdOf(request: Request, client: ClientConnection): string | undefined {
  const header = request.headers.get("cookie");
  if (header === null) return undefined;
  const prefix = `${nameFor(client)}=`;
  const cookies = header.split(";").map((cookie) => cookie.trim());
  const value = cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length);
  return value !== undefined && SESSION_ID.test(value) ? value : undefined;
}

/** The header that sets the cookie. With an empty id and no age, it removes it. */
export function sessionCookie(client: ClientConnection, id: string, maxAgeSeconds: number): string {
  const secure = isSecure(client) ? "; Secure" : "";
  const path = client.basePath || "/";
  return `${nameFor(client)}=${id}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}

// Brings a request into the form in which the app reads it: with the Host that the client asked for, and with a path
// below the base path.

/** Changes the request. Gives a refusal when nobody can tell for which host it is. */
export function createArrival(options: ProxyOptions): (request: IncomingMessage) => HttpError | undefined {
  const provenanceOf = createProxyReader(options);
  const { basePath = "" } = options;

  return function arrive(request) {
    const { headers, url = "" } = request;
    const { host } = provenanceOf(request);
    if (host !== undefined) headers.host = host;
    // A prefix in a header says what the proxy has taken away already, so only our own setting is taken away here.
    request.url = withoutBasePath(url, basePath);
    if (headers.host)
      return URL.canParse(`http://${headers.host}`) ? undefined : new HttpError("malformed-http", BAD_HOST);
    // HTTP/1.0 has no Host (RFC 9112, 3.2), and balancers probe with it. A browser always sends one.
    if (request.httpVersion === "1.0" && isHealthCheck(request.method ?? "", request.url)) headers.host = "localhost";
    // A target such as `http://127.0.0.1/` names the host itself.
    else if (url.startsWith("/") || request.httpVersion !== "1.0") return new HttpError("malformed-http", NO_HOST);
    return undefined;
  };
}

const BAD_HOST = "The Host header is not valid.";
const NO_HOST =
  "The request has no Host header. Only a health check over HTTP/1.0 may leave it out: of /livez, of /readyz, and OPTIONS /. Behind nginx, set: proxy_set_header Host $http_host;";

/** The paths for whoever runs the service. */
export const LIVE_PATH = "/livez";
export const READY_PATH = "/readyz";

const METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether a request asks how the service is, and for nothing else. */
export function isHealthCheck(method: string, path: string): boolean {
  // HAProxy, when it is told no more than `option httpchk`, sends `OPTIONS / HTTP/1.0` without a Host.
  if (path === "/") return method === "OPTIONS";
  return METHODS.has(method) && (path === LIVE_PATH || path === READY_PATH);
}
