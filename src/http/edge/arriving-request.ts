// Brings a request into the form in which the app reads it: with the Host that the client asked for, and with a path
// below the base path.
import type { IncomingMessage } from "node:http";
import { HttpError } from "#http/http-error.ts";
import { withoutBasePath } from "./base-path.ts";
import { isHealthCheck } from "./health-check.ts";
import { createProxyReader, type ProxyOptions } from "./trusted-proxies.ts";

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
    if (isProbeWithoutHost(request)) headers.host = "localhost";
    // A target such as `http://127.0.0.1/` names the host itself.
    else if (url.startsWith("/") || request.httpVersion !== "1.0") return new HttpError("malformed-http", NO_HOST);
    return undefined;
  };
}

/** HTTP/1.0 has no Host (RFC 9112, 3.2), and balancers probe with it. A browser always sends one. */
function isProbeWithoutHost({ httpVersion, method = "", url = "" }: IncomingMessage): boolean {
  return httpVersion === "1.0" && isHealthCheck(method, url);
}

const BAD_HOST = "The Host header names no host that a URL can have.";
const NO_HOST =
  "The request has no Host header. Only a health check over HTTP/1.0 may leave it out: of /livez, of /readyz, and OPTIONS /. Behind nginx, set: proxy_set_header Host $http_host;";
