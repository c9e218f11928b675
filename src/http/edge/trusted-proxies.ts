// Which requests come from a proxy of ours, and what it says of them. Nobody else is believed.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { basePathOf } from "#core/base-path.ts";

export interface ProxyOptions {
  /** The addresses of proxies, as CIDR blocks. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** The headers that they set. */
  readonly proxyHeaders?: ProxyHeaders | undefined;
  /** Where clients see the service. When it is set, X-Forwarded-Prefix does not count. */
  readonly basePath?: string | undefined;
}

const HOST = /^(?:[a-z\d](?:[a-z\d._-]*[a-z\d])?|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

export function createProxyReader({
  trustedProxies = [],
  proxyHeaders = "x-forwarded",
  basePath: configured,
}: ProxyOptions) {
  const proxies = blockListOf(trustedProxies);
  const isProxy = (address: string) =>
    isIP(address) !== 0 && proxies.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

  /** `peer` is the other end of the connection. Over TLS, and with which Host, the client came if the proxy says so. */
  return function provenanceOf({ socket, headers }: Pick<IncomingMessage, "socket" | "headers">) {
    const peer = plainAddress(socket.remoteAddress ?? "");
    const isFromProxy = trustedProxies.length > 0 && isProxy(peer);
    if (!isFromProxy)
      return { peer, isFromProxy, address: peer, isHttps: false, host: undefined, basePath: configured ?? "" };
    const { addresses, scheme, host, prefix } = statementIn(headers, proxyHeaders);
    return {
      peer,
      isFromProxy,
      address: clientAddress(addresses, isProxy) ?? peer,
      isHttps: scheme === "https",
      host: host !== undefined && HOST.test(host) ? host : undefined,
      basePath: configured ?? (prefix === undefined ? "" : (basePathOf(prefix) ?? "")),
    };
  };
}

/** The last address that is not a proxy of ours: those before it are the client's own claims. */
function clientAddress(addresses: readonly string[], isProxy: (address: string) => boolean): string | undefined {
  for (const address of addresses.map(plainAddress).reverse()) {
    if (isIP(address) === 0) return undefined;
    if (!isProxy(address)) return address;
  }
  return undefined;
}

/** An IPv4 address that a socket for both families shows as `::ffff:…`. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");

function blockListOf(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = "", bits] = block.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

// What a proxy says of the request that it passes on: in X-Forwarded-… headers, or in Forwarded (RFC 7239). Only one of
// the two is read: a proxy that sets one passes on whatever the client put into the other.

export type ProxyHeaders = "x-forwarded" | "forwarded";

type Header = string | string[] | undefined;

/** Where several proxies wrote, the last one counts: it is next to us, and those before it may be the client's claims. */
export function statementIn(headers: IncomingHttpHeaders, kind: ProxyHeaders) {
  // The path that the proxy took away. Forwarded has no word for it.
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
