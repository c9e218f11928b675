import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PortcullisError } from "#core/errors.ts";
import {
  formatApiKey,
  KEY_ID_BYTES,
  keyIdOf,
  looksLikeApiKey,
  parseApiKey,
  roleOfClaims,
  SECRET_BYTES,
} from "./credentials.ts";

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const parts = fc.record({ id: bytes(KEY_ID_BYTES), secret: bytes(SECRET_BYTES) });
const keyOf = ({ id, secret }: { id: Uint8Array; secret: Uint8Array }) => formatApiKey(keyIdOf(id), secret);

describe("A key", () => {
  test("is parsed to its id, and matches one pattern for secret scanners", () => {
    fc.assert(
      fc.property(parts, (of) => {
        const key = keyOf(of);
        expect(key).toMatch(/^portcullis_[0-9A-Za-z]{50}$/);
        expect(parseApiKey(key)).toBe(keyIdOf(of.id));
        expect(looksLikeApiKey(key)).toBe(true);
      }),
    );
  });

  test("with one changed character is refused", () => {
    const changed = fc.tuple(parts, fc.nat(), fc.constantFrom(...'0123456789AZaz_- é"')).map(([of, at, other]) => {
      const key = keyOf(of);
      const place = at % key.length;
      return { key, spoiled: key.slice(0, place) + other + key.slice(place + 1) };
    });
    fc.assert(
      fc.property(changed, ({ key, spoiled }) => {
        fc.pre(spoiled !== key);
        expect(parseApiKey(spoiled)).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });

  test("that is cut, lengthened or has a neighbour swapped is refused", () => {
    fc.assert(
      fc.property(parts, fc.nat(), (of, at) => {
        const key = keyOf(of);
        const place = at % (key.length - 1);
        const swapped = key.slice(0, place) + key[place + 1] + key[place] + key.slice(place + 2);
        for (const spoiled of [key.slice(0, place), `${key}0`, ` ${key}`, `${key}\n`, swapped]) {
          if (spoiled !== key) expect(parseApiKey(spoiled)).toBeUndefined();
        }
      }),
    );
  });

  test("keeps every bit of its secret", () => {
    fc.assert(
      fc.property(parts, bytes(SECRET_BYTES), (of, other) => {
        fc.pre(Buffer.compare(of.secret, other) !== 0);
        expect(keyOf(of)).not.toBe(keyOf({ ...of, secret: other }));
      }),
    );
    const all = (byte: number) => new Uint8Array(SECRET_BYTES).fill(byte);
    expect(formatApiKey("key_00000000000", all(0))).toMatch(/^portcullis_0{44}/);
    expect(formatApiKey("key_00000000000", all(255)).slice(22, 55)).toMatch(/^[1-9A-Za-z]/);
  });

  test("ends in the CRC-32 of the rest, as scanners compute it", () => {
    fc.assert(
      fc.property(parts, (of) => {
        const key = keyOf(of);
        const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        const value = [...key.slice(-6)].reduce((number, digit) => number * 62 + digits.indexOf(digit), 0);
        expect(value).toBe(crc32(key.slice(0, -6)));
      }),
    );
  });
});

describe("The role of a token", () => {
  test.for([
    [{ role: "admin" }, { role: "admin" }],
    [{ role: "auditor" }, { role: "auditor" }],
    [{ role: "admin:diet,a%2Cb" }, { role: "namespace-admin", namespaces: ["diet", "a,b"] }],
    [
      { role: "agent", agent: "planner" },
      { role: "agent", agentId: "planner", captures: [] },
    ],
    [{ role: "agent:planner" }, { role: "agent", agentId: "planner", captures: [] }],
    [
      { role: "agent:planner", agent: "planner", namespaces: ["diet"] },
      { role: "agent", agentId: "planner", captures: ["diet"] },
    ],
  ] as const)("%j is %j", ([claims, role]) => {
    expect(roleOfClaims(claims)).toEqual(role);
  });

  test.for([
    [{}, "names no role"],
    [{ role: null }, "names no role"],
    [{ role: "" }, "not valid"],
    [{ role: "Admin" }, "not valid"],
    [{ role: "public" }, "not valid"],
    [{ role: ["admin"] }, "not a text"],
    [{ role: "agent" }, "names none"],
    [{ role: "agent", agent: "" }, "not valid"],
    [{ role: "agent", agent: 7 }, "not a text"],
    [{ role: "agent:planner", agent: "companion" }, "contradict"],
    [{ role: "admin", agent: "planner" }, "contradict"],
    [{ role: "agent:planner", namespaces: "diet" }, "list of texts"],
    [{ role: "agent:planner", namespaces: [1] }, "list of texts"],
    [{ role: "admin", namespaces: ["diet"] }, "not valid"],
    [{ agent: "planner" }, "names no role"],
  ] as const)("%j is refused", ([claims, sentence]) => {
    expect(() => roleOfClaims(claims)).toThrow(expect.objectContaining({ code: "forbidden" }));
    expect(() => roleOfClaims(claims)).toThrow(sentence);
  });

  test("is a role or a refusal, whatever the claims are", () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (role, agent, namespaces) => {
        try {
          expect(["admin", "auditor", "agent", "namespace-admin"]).toContain(
            roleOfClaims({ role, agent, namespaces }).role,
          );
        } catch (error) {
          expect(error).toBeInstanceOf(PortcullisError);
          expect(error).toMatchObject({ code: "forbidden" });
        }
      }),
    );
  });
});
