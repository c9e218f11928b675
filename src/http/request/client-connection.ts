// Where a request comes from: the client's address, and the origin that the client sees. Behind a proxy both are what the
// proxy says in X-Forwarded-For and X-Forwarded-Proto, and only a proxy of TRUST_PROXY is believed.
import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import type { TLSSocket } from "node:tls";
import { HttpError } from "#http/http-error.ts";

export interface ClientConnection {
  readonly address: string;
  /** Where the client sees us, `http://127.0.0.1:3000` for example. */
  readonly origin: () => string;
}

export interface TransportOptions {
  /** The addresses of proxies, as CIDR blocks. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Credentials travel: refuse what came over the network without TLS. */
  readonly requiresTls?: boolean | undefined;
}

export function createConnectionReader({ trustedProxies = [], requiresTls = false }: TransportOptions) {
  const proxies = blockListOf(trustedProxies);
  const isProxy = (address: string) => proxies.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

  /** With `mayBePlain`, TLS is not asked for: a probe of health carries no credentials. */
  return function connectionOf(
    request: Request,
    { socket, headers }: Pick<IncomingMessage, "socket" | "headers">,
    { mayBePlain = false }: { readonly mayBePlain?: boolean } = {},
  ): ClientConnection {
    const peer = plainAddress(socket.remoteAddress ?? "");
    const isFromProxy = trustedProxies.length > 0 && isIP(peer) !== 0 && isProxy(peer);
    const isEncrypted = (socket as Partial<TLSSocket>).encrypted === true;
    const isSecure = isEncrypted || (isFromProxy && lastOf(headers["x-forwarded-proto"]) === "https");
    if (requiresTls && !mayBePlain && !isSecure && !(isLoopback(peer) && !isFromProxy)) {
      throw new HttpError("insecure-transport", "Keys and tokens travel over TLS only. Use https.");
    }
    return {
      address: isFromProxy ? (forwardedFor(headers["x-forwarded-for"], isProxy) ?? peer) : peer,
      origin: () => `${isSecure ? "https" : "http"}://${new URL(request.url).host}`,
    };
  };
}

/** The last address that is not a proxy of ours: those before it are the client's own claims. */
function forwardedFor(
  header: string | string[] | undefined,
  isProxy: (address: string) => boolean,
): string | undefined {
  const addresses = listOf(header).map(plainAddress);
  for (const address of addresses.reverse()) {
    if (isIP(address) === 0) return undefined;
    if (!isProxy(address)) return address;
  }
  return undefined;
}

const listOf = (header: string | string[] | undefined): string[] =>
  [header ?? []].flat().flatMap((line) => line.split(",").map((part) => part.trim()));

const lastOf = (header: string | string[] | undefined): string | undefined => listOf(header).at(-1)?.toLowerCase();

/** An IPv4 address that a socket for both families shows as `::ffff:…`. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");

const isLoopback = (address: string): boolean => address === "::1" || address.startsWith("127.");

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
