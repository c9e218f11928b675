// A publisher or an aggregator: where its blobs are, and what to show it. What is wrong with a URL or a token is said
// without quoting it, since both may hold secrets.
import { PortcullisError } from "#core/errors.ts";

export interface Peer {
  /** Without credentials: they go into a header, and a URL may end up in an error of whoever is asked to fetch it. */
  readonly blobsUrl: string;
  readonly headers: Record<string, string>;
}

export function peerOf(role: "publisher" | "aggregator", url: string, token?: string): Peer {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.search !== "" || parsed.hash !== "")
    throw refusal(`The ${role}'s URL must be an http or https URL without a query or a fragment.`);
  const basic = basicOf(role, parsed);
  if (basic !== undefined && token !== undefined)
    throw refusal(`The ${role} has credentials in its URL and a token. Set one of them.`);
  const authorization = basic ?? (token === undefined ? undefined : bearer(token));
  return {
    blobsUrl: `${parsed.origin}${parsed.pathname.replace(/\/+$/, "")}/v1/blobs`,
    headers: authorization === undefined ? {} : { Authorization: authorization },
  };
}

function basicOf(role: string, { username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(pair).toString("base64")}`;
  } catch {
    throw refusal(`The credentials in the ${role}'s URL are not percent-encoded.`);
  }
}

/** The characters of RFC 6750. With others, setting the header would fail with an error that quotes the token. */
function bearer(token: string): string {
  if (/^[\w.~+/-]+=*$/.test(token)) return `Bearer ${token}`;
  throw refusal("The publisher's token has characters that a bearer token cannot have.");
}

function refusal(sentence: string): PortcullisError {
  return new PortcullisError("configuration", sentence);
}
