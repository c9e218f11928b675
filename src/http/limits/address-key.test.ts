import fc from "fast-check";
import { expect, test } from "vitest";
import { addressKey } from "./address-key.ts";

test("an IPv4 address is its own key", () => {
  expect(addressKey("203.0.113.7")).toBe("203.0.113.7");
});

test("the addresses of one /64 have one key, however they are written", () => {
  const spellings = ["2001:db8::1", "2001:DB8:0:0::ffff", "2001:0db8:0000:0000:1:2:3:4", "2001:db8::1.2.3.4"];
  expect(new Set(spellings.map(addressKey))).toEqual(new Set(["2001:db8:0:0::/64"]));
});

test("the addresses of two networks have two keys", () => {
  expect(addressKey("2001:db8:0:1::1")).not.toBe(addressKey("2001:db8:0:2::1"));
  expect(addressKey("::1")).not.toBe(addressKey("1::"));
  expect(addressKey("fe80::1%eth0")).toBe("fe80:0:0:0::/64");
});

test("the key is made of the first four groups", () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
  const groups = fc.array(group, { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(groups, (all) => {
      expect(addressKey(all.join(":"))).toBe(`${all.slice(0, 4).join(":")}::/64`);
    }),
  );
});
