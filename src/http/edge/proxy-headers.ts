// What a proxy says of the request that it passes on: in X-Forwarded-… headers, or in Forwarded (RFC 7239). Only one of
// the two is read: a proxy that sets one passes on whatever the client put into the other.
import type { IncomingHttpHeaders } from "node:http";

export const PROXY_HEADERS = ["x-forwarded", "forwarded"] as const;
export type ProxyHeaders = (typeof PROXY_HEADERS)[number];

export interface ProxyStatement {
  /** The addresses that the request came through. The proxy next to us wrote the last one. */
  readonly addresses: readonly string[];
  readonly scheme?: string | undefined;
  readonly host?: string | undefined;
  /** The path that the proxy took away. Forwarded has no word for it. */
  readonly prefix?: string | undefined;
}

type Header = string | string[] | undefined;

/** Where several proxies wrote, the last one counts: it is next to us, and those before it may be the client's claims. */
export function statementIn(headers: IncomingHttpHeaders, kind: ProxyHeaders): ProxyStatement {
  const prefix = lastOf(headers["x-forwarded-prefix"]);
  if (kind === "x-forwarded") {
    return {
      addresses: listOf(headers["x-forwarded-for"]),
      scheme: lastOf(headers["x-forwarded-proto"])?.toLowerCase(),
      host: lastOf(headers["x-forwarded-host"]),
      prefix,
    };
  }
  const elements = forwardedElements([headers.forwarded ?? []].flat().join(","));
  const last = elements.at(-1);
  return {
    addresses: elements.map((element) => nodeAddress(element.get("for") ?? "")),
    scheme: last?.get("proto")?.toLowerCase(),
    host: last?.get("host"),
    prefix,
  };
}

const listOf = (header: Header): string[] =>
  [header ?? []].flat().flatMap((line) => line.split(",").map((part) => part.trim()));

const lastOf = (header: Header): string | undefined => listOf(header).at(-1);

const PAIR = /\s*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([\w!#$%&'*+.^`|~:[\]-]+))\s*(;|,|$)/y;

/** The elements of a Forwarded header, each a map of its parameters. Empty when the header is malformed. */
function forwardedElements(header: string): ReadonlyMap<string, string>[] {
  const elements: Map<string, string>[] = [new Map()];
  let at = 0;
  while (at < header.length) {
    PAIR.lastIndex = at;
    const match = PAIR.exec(header);
    if (match === null) return [];
    const [, name = "", quoted, token, end] = match;
    elements.at(-1)?.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, "$1") ?? token ?? "");
    if (end === ",") elements.push(new Map());
    at = PAIR.lastIndex;
  }
  return elements;
}

/** `192.0.2.1:4711` and `[2001:db8::1]:4711` without brackets and port (RFC 7239, 6). */
function nodeAddress(node: string): string {
  const [, inBrackets, plain] = /^(?:\[([^\]]*)\]|([^:]*))(?::[\w.-]+)?$/.exec(node) ?? [];
  return inBrackets ?? plain ?? "";
}
