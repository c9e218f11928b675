// Sends webhooks. A target inside the own network is refused unless it is allowed, also when its name resolves to such an
// address only at the time of sending: the connection is made to the address that was checked.
import { lookup } from "node:dns";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import type { WebhookSender } from "#ports.ts";

const LONGEST_URL = 2_000;

/** Of this machine, of private networks, of links, for tests and documentation, and those that stand for others. */
const NOT_PUBLIC = {
  ipv4: [
    ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
    ...["192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3"],
  ],
  // Addresses of the world begin with 2 or 3. Of these, 2001:db8:: is for documentation, and others hold IPv4 addresses.
  ipv6: ["::/3", "4000::/2", "8000::/1", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"],
} as const;

type Family = keyof typeof NOT_PUBLIC;

/** One list for each family: in a list for both, an IPv4 address is looked for as an IPv6 address as well. */
function blockedIn(family: Family): BlockList {
  const list = new BlockList();
  for (const block of NOT_PUBLIC[family]) {
    const [address = "", bits] = block.split("/");
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

const BLOCKED = { ipv4: blockedIn("ipv4"), ipv6: blockedIn("ipv6") };

export function isPublicAddress(address: string): boolean {
  const family: Family = isIP(address) === 6 ? "ipv6" : "ipv4";
  return isIP(address) !== 0 && !BLOCKED[family].check(address, family);
}

const REFUSED = "is inside the service's own network. Set WEBHOOK_TARGETS=any to allow that";

export function webhookSender({ targets }: { readonly targets: "public" | "any" }): WebhookSender {
  const allows = (address: string) => targets === "any" || isPublicAddress(address);

  const checkedLookup: LookupFunction = (host, options, callback) =>
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) return callback(error ?? new Error("The name has no address."), "");
      // All of them: a name that has both kinds is not asked which one it means.
      if (!addresses.every(({ address }) => allows(address))) return callback(new Error(`The target ${REFUSED}.`), "");
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });

  function faultOf(url: string): string | undefined {
    const parsed = url.length > LONGEST_URL ? null : URL.parse(url);
    if (parsed === null) return "is not a URL";
    if (parsed.username !== "" || parsed.password !== "") return "must have no credentials";
    const isHttp = parsed.protocol === "http:" && targets === "any";
    if (parsed.protocol !== "https:" && !isHttp) return "must be an https URL";
    const host = parsed.hostname.replace(/^\[|\]$/g, "");
    const isInside = isIP(host) === 0 ? /(?:^|\.)localhost\.?$/.test(host) : !allows(host);
    return isInside && targets === "public" ? REFUSED : undefined;
  }

  return {
    faultOf,
    async send({ url, headers, body }, signal) {
      const fault = faultOf(url);
      if (fault !== undefined) throw new Error(`The target ${fault}.`);
      const request = url.startsWith("https:") ? requestHttps : requestHttp;
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      const sent = request(url, {
        method: "POST",
        headers: { ...headers, "content-length": Buffer.byteLength(body) },
        lookup: checkedLookup,
        // No connection outlives its message.
        agent: false,
        signal,
      });
      // An error after the response is nobody's, and without a listener it would end the process.
      sent.on("error", reject).once("response", (response) => {
        resolve(response.statusCode ?? 0);
        // What it says is not read.
        response.on("error", () => undefined).destroy();
      });
      sent.end(body);
      return promise;
    },
  };
}
