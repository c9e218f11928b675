// Which requests come from a proxy of ours, and what it says of them. Nobody else is believed.
import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { basePathOf } from "./base-path.ts";
import { type ProxyHeaders, statementIn } from "./proxy-headers.ts";

export interface ProxyOptions {
  /** The addresses of proxies, as CIDR blocks. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** The headers that they set. */
  readonly proxyHeaders?: ProxyHeaders | undefined;
  /** Where clients see the service. When it is set, X-Forwarded-Prefix does not count. */
  readonly basePath?: string | undefined;
}

export interface Provenance {
  /** The other end of the connection. */
  readonly peer: string;
  readonly isFromProxy: boolean;
  /** The client's address. */
  readonly address: string;
  /** The proxy says that the client came over TLS. */
  readonly isHttps: boolean;
  /** The Host that the client asked for, where the proxy says it. */
  readonly host?: string | undefined;
  readonly basePath: string;
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

  return function provenanceOf({ socket, headers }: Pick<IncomingMessage, "socket" | "headers">): Provenance {
    const peer = plainAddress(socket.remoteAddress ?? "");
    const unknown = { peer, address: peer, isFromProxy: false, isHttps: false, basePath: configured ?? "" };
    if (trustedProxies.length === 0 || !isProxy(peer)) return unknown;
    const { addresses, scheme, host, prefix } = statementIn(headers, proxyHeaders);
    return {
      peer,
      isFromProxy: true,
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
