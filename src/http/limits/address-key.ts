import { isIPv6 } from "node:net";
import { expandIPv6 } from "hono/utils/ipaddr";

/** A network of this size is given to one customer, who may use any address in it (RFC 6177). */
const NETWORK_GROUPS = 4;

/** What limits know a client's address by: an IPv4 address as it is, an IPv6 address by its /64. */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = expandIPv6(address.replace(/%.*$/, "")).split(":");
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
