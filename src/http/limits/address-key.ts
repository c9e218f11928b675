import { isIPv6 } from "node:net";

const GROUPS = 8;
/** A network of this size is given to one customer, who may use any address in it (RFC 6177). */
const NETWORK_GROUPS = 4;

/** What limits know a client's address by: an IPv4 address as it is, an IPv6 address by its /64. */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.toLowerCase().replace(/%.*$/, "").split("::");
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: GROUPS - before.length - after.length }, () => "0");
  const network = [...before, ...zeros, ...after].slice(0, NETWORK_GROUPS);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}

/** Two groups may be written as an IPv4 address. They are the last ones, and not part of a network. */
function groupsOf(text: string): string[] {
  return text === "" ? [] : text.split(":").flatMap((group) => (group.includes(".") ? ["0", "0"] : [group]));
}
