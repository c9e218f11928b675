import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { createConnectionReader, type TransportOptions } from "./client-connection.ts";

interface Sent {
  readonly peer?: string;
  readonly encrypted?: boolean;
  readonly forwardedFor?: string;
  readonly proto?: string;
}

function read(options: TransportOptions, { peer = "203.0.113.9", encrypted = false, forwardedFor, proto }: Sent) {
  const request = new Request("http://memory.example/api/chat");
  const headers = {
    ...(forwardedFor !== undefined && { "x-forwarded-for": forwardedFor }),
    ...(proto !== undefined && { "x-forwarded-proto": proto }),
  };
  const incoming = { socket: { remoteAddress: peer, encrypted }, headers } as unknown as IncomingMessage;
  const { address, baseUrl } = createConnectionReader(options)(request, incoming);
  return { address, origin: baseUrl() };
}

const PROXY = "10.1.2.3";
const proxied: TransportOptions = { trustedProxies: ["10.0.0.0/8", "fd00::/8"], requiresTls: true };

describe("The client's address", () => {
  test("is that of the connection, whatever a header says, unless it comes from a proxy of ours", () => {
    expect(read({}, { forwardedFor: "198.51.100.1" }).address).toBe("203.0.113.9");
    expect(read({ trustedProxies: ["10.0.0.0/8"] }, { forwardedFor: "198.51.100.1" }).address).toBe("203.0.113.9");
  });

  test.for([
    ["198.51.100.1", "198.51.100.1"],
    // What stands before the last foreign address is the client's own claim.
    ["127.0.0.1, 198.51.100.1", "198.51.100.1"],
    ["198.51.100.1, 10.9.9.9", "198.51.100.1"],
    ["2001:db8::1", "2001:db8::1"],
    ["::ffff:198.51.100.1", "198.51.100.1"],
    // Nothing foreign, or nothing that is an address: the proxy itself.
    ["10.9.9.9", PROXY],
    ["198.51.100.1, garbage", PROXY],
    ["", PROXY],
  ])("is the last one in X-Forwarded-For %j that is not a proxy", ([forwardedFor = "", expected]) => {
    expect(read(proxied, { peer: PROXY, proto: "https", forwardedFor }).address).toBe(expected);
  });

  test("has one form, also from a socket for both families", () => {
    expect(read({}, { peer: "::ffff:203.0.113.9" }).address).toBe("203.0.113.9");
  });
});

describe("With identities off loopback,", () => {
  const direct: TransportOptions = { requiresTls: true };

  test("TLS is needed: our own, or that of a proxy of ours", () => {
    const refused = expect.objectContaining({ code: "insecure-transport" });
    expect(read(direct, { encrypted: true }).origin).toBe("https://memory.example");
    expect(read(proxied, { peer: PROXY, proto: "https" }).origin).toBe("https://memory.example");
    for (const [options, sent] of [
      [direct, {}],
      [direct, { proto: "https" }],
      [proxied, { proto: "https" }],
      [proxied, { peer: PROXY }],
      [proxied, { peer: PROXY, proto: "http" }],
      [proxied, { peer: PROXY, proto: "https, http" }],
    ] as const)
      expect(() => read(options, sent)).toThrow(refused);
  });

  test("a program on this machine needs none, unless it is the proxy", () => {
    expect(read(direct, { peer: "127.0.0.1" }).origin).toBe("http://memory.example");
    expect(() => read({ requiresTls: true, trustedProxies: ["127.0.0.1"] }, { peer: "127.0.0.1" })).toThrow();
  });

  test("a probe of health needs none", () => {
    const incoming = { socket: { remoteAddress: "203.0.113.9" }, headers: {} } as unknown as IncomingMessage;
    const connectionOf = createConnectionReader(direct);
    expect(connectionOf(new Request("http://h/livez"), incoming, { mayBePlain: true }).address).toBe("203.0.113.9");
  });
});
