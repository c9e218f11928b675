// Where a request comes from, and where its client sees us. Behind a proxy of TRUST_PROXY both are what the proxy says.
import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import { HttpError } from "#http/http-error.ts";
import { isLoopbackHost } from "./loopback.ts";
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
    // The URL has the forwarded host (arriving-request.ts), in lower case and without the scheme's own port.
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
