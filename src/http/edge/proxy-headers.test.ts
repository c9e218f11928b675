import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { statementIn } from "./trusted-proxies.ts";

const forwarded = (header: string | string[]) => statementIn({ forwarded: [header].flat().join(",") }, "forwarded");

describe("Forwarded (RFC 7239)", () => {
  test.for([
    ["for=192.0.2.60;proto=http;by=203.0.113.43", { addresses: ["192.0.2.60"], scheme: "http" }],
    ['For="[2001:db8:cafe::17]:4711"', { addresses: ["2001:db8:cafe::17"] }],
    ["for=192.0.2.43:8080, for=198.51.100.17", { addresses: ["192.0.2.43", "198.51.100.17"] }],
    ["for=unknown, for=_hidden", { addresses: ["unknown", "_hidden"] }],
    ["for=192.0.2.43;host=a.test,for=192.0.2.44;host=b.test;proto=HTTPS", { host: "b.test", scheme: "https" }],
    ['for=192.0.2.43;host="b.test:8443"', { host: "b.test:8443" }],
    // A quoted comma begins no element.
    ['for=192.0.2.1;host="x, for=192.0.2.2;host=spoofed.test"', { addresses: ["192.0.2.1"] }],
    ['for="\\"192.0.2.1"', { addresses: ['"192.0.2.1'] }],
  ] as const)("%s", ([header, expected]) => {
    expect(forwarded(header)).toMatchObject(expected);
  });

  test.for(["for", "for=", "for=a b", 'for="', "for=1;;for=2", "=1", 'for="a"b'])(
    "%s is malformed, and says nothing",
    (header) => {
      expect(forwarded(`host=a.test;${header}`)).toMatchObject({ addresses: [], host: undefined, scheme: undefined });
    },
  );

  test("in several lines is one list", () => {
    expect(forwarded(["for=192.0.2.1", "for=192.0.2.2;host=b.test"])).toMatchObject({
      addresses: ["192.0.2.1", "192.0.2.2"],
      host: "b.test",
    });
  });

  test("never throws, and whatever a client wrote comes before what the proxy adds", () => {
    fc.assert(
      fc.property(fc.string(), (claimed) => {
        const { addresses, host } = forwarded(`${claimed}, for=192.0.2.9;host=ours.test`);
        if (addresses.length > 0) expect([addresses.at(-1), host]).toEqual(["192.0.2.9", "ours.test"]);
        else expect(host).toBeUndefined();
      }),
    );
  });
});

test("Only the chosen kind of headers is read", () => {
  const both = { forwarded: "for=192.0.2.1;host=a.test", "x-forwarded-for": "192.0.2.2", "x-forwarded-host": "b.test" };
  expect(statementIn(both, "forwarded")).toMatchObject({ addresses: ["192.0.2.1"], host: "a.test" });
  expect(statementIn(both, "x-forwarded")).toMatchObject({ addresses: ["192.0.2.2"], host: "b.test" });
});
