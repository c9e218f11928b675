// The URL and headers of a publisher or an aggregator. An error about a URL or a token does not quote it, because both
// may hold secrets.
import { configurationError } from "#core/errors.ts";

export interface Endpoint {
  /** Without credentials, because errors of an HTTP client may quote the URL. The credentials are in `headers`. */
  readonly blobsUrl: string;
  readonly headers: Record<string, string>;
}

export function endpointOf(role: "publisher" | "aggregator", url: string, token?: string): Endpoint {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.search !== "" || parsed.hash !== "")
    throw configurationError(`The ${role}'s URL must be an http or https URL without a query or a fragment.`);
  const basic = basicAuthorization(role, parsed);
  if (basic !== undefined && token !== undefined)
    throw configurationError(`The ${role} has credentials in its URL and a token. Set one of them.`);
  const authorization = basic ?? (token === undefined ? undefined : bearerAuthorization(token));
  return {
    blobsUrl: `${parsed.origin}${parsed.pathname.replace(/\/+$/, "")}/v1/blobs`,
    headers: authorization === undefined ? {} : { Authorization: authorization },
  };
}

function basicAuthorization(role: string, { username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(pair).toString("base64")}`;
  } catch {
    throw configurationError(`The credentials in the ${role}'s URL are not percent-encoded.`);
  }
}

/** Allows the characters of RFC 6750. With others, setting the header would fail with an error that quotes the token. */
function bearerAuthorization(token: string): string {
  if (/^[\w.~+/-]+=*$/.test(token)) return `Bearer ${token}`;
  throw configurationError("The publisher's token has characters that a bearer token cannot have.");
}
