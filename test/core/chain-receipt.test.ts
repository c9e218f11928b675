// Our BCS decoder against the SDK's encoder: it reads the Move struct as it is on the chain, and refuses everything else.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Receipt } from "#adapters/ledger/gate-module.ts";
import { claimsOf, readChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import { codePoint } from "#test/support/code-point.ts";

const hex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => Buffer.from(bytes).toString("hex"));
const text = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 40 }),
  fc.string({ minLength: 120, maxLength: 300 }),
  fc.constant("\ufeffpreferences"),
);
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

const fields = fc.record({
  id: hex(32),
  gate: hex(32),
  agent: text,
  blob_id: text,
  digest: fc.uint8Array({ maxLength: 200 }),
  claimed: fc.array(text, { maxLength: 5 }),
  all_authorized: fc.boolean(),
  policy_version: u64,
  closed_at_ms: u64,
  superseded_at_ms: fc.option(u64),
  anchored_at_ms: u64,
});

type Fields = typeof fields extends fc.Arbitrary<infer T> ? T : never;

const addresses = ({ id, gate }: Fields) => ({ id: `0x${id}`, gate: `0x${gate}` });
const bytesOf = (value: Fields) => Receipt.serialize({ ...value, ...addresses(value) }).toBytes();
const expected = (value: Fields) => ({
  gate: `0x${value.gate}`,
  agent: value.agent,
  blobId: value.blob_id,
  digest: Buffer.from(value.digest).toString("hex"),
  claimed: value.claimed,
  allAuthorized: value.all_authorized,
  policyVersion: String(value.policy_version),
  anchoredAtMs: Number(value.anchored_at_ms),
});

describe("a receipt on the chain", () => {
  test("is decoded as it was encoded", () => {
    fc.assert(
      fc.property(fields, (value) => {
        const { closed_at_ms, superseded_at_ms } = value;
        const superseded = superseded_at_ms !== null && { supersededAtMs: Number(superseded_at_ms) };
        const closing = { closedAtMs: Number(closed_at_ms), ...superseded };
        expect(readChainReceipt(bytesOf(value))).toStrictEqual({ ...expected(value), ...closing });
      }),
    );
  });

  test("is refused if a byte is missing, or if there is one too many", () => {
    fc.assert(
      fc.property(fields, fc.nat(), (value, place) => {
        const bytes = bytesOf(value);
        const cut = place % bytes.length;
        expect(readChainReceipt(bytes.slice(0, cut))).toBeUndefined();
        expect(readChainReceipt(Uint8Array.from([...bytes, 0]))).toBeUndefined();
      }),
    );
  });

  test("can be decoded or refused, whatever the bytes are", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readChainReceipt(bytes)));
  });

  const head = [...new Uint8Array(64)];
  const tail = [0, 0, 0, 0, ...new Uint8Array(25)];
  test.for([
    ["is decoded with an empty agent", [0], true],
    ["is refused if a length is not in its shortest form", [0x80, 0x00], false],
    ["is refused if a text is not UTF-8", [1, 0xff], false],
    ["is refused if a length has more than 32 bits", [0xff, 0xff, 0xff, 0xff, 0x1f], false],
    ["is refused if a length is 4 GiB", [0xff, 0xff, 0xff, 0xff, 0x0f], false],
  ] as const)("%s", ([, agent, isRead]) => {
    expect(readChainReceipt(Uint8Array.from([...head, ...agent, ...tail])) !== undefined).toBe(isRead);
  });

  test("is refused if a boolean is neither 0 nor 1", () => {
    const bytes = Uint8Array.from([...head, 0, 0, 0, 0, 2, ...new Uint8Array(25)]);
    expect(readChainReceipt(bytes)).toBeUndefined();
  });

  test("is refused if an option has two values", () => {
    const end = (values: number) => [...new Uint8Array(16), values, ...new Uint8Array(8 * values + 8)];
    const read = (values: number) => readChainReceipt(Uint8Array.from([...head, 0, 0, 0, 0, 1, ...end(values)]));
    expect(read(1)?.supersededAtMs).toBe(0);
    expect(read(2)).toBeUndefined();
  });
});

function receiptUsing(...namespaces: string[]): ForeignReceipt {
  const used = { snippet: "", storeRef: "b", authorized: true, verified: true };
  const usedMemories = namespaces.map((namespace) => ({ namespace, ...used }));
  return { answerId: "ans_1", agentId: "a", usedMemories, blockedNamespaces: [], createdAt: "2026-01-01T00:00:00Z" };
}

test("claims are the requested namespaces, also if these are none, or else those of the used memories", () => {
  expect(claimsOf(receiptUsing("diet", "health", "diet"))).toEqual(["diet", "health"]);
  expect(claimsOf(receiptUsing("diet"), ["work", "work"])).toEqual(["work"]);
  expect(claimsOf(receiptUsing("diet"), [])).toEqual([]);
});

test("claims are sorted by UTF-8 bytes, without duplicates", () => {
  const names = fc.array(
    fc.string({ unit: codePoint, minLength: 1, maxLength: 4 }).filter((name) => name.isWellFormed()),
  );
  fc.assert(
    fc.property(names, (given) => {
      const expected = [...new Set(given)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(claimsOf(receiptUsing(), given)).toEqual(expected);
    }),
  );
});

test("more than 64 distinct claims are refused, with a pointer to the field", () => {
  const many = Array.from({ length: 65 }, (_, i) => `n${i}`);
  expect(() => claimsOf(receiptUsing(), many)).toThrow(
    expect.objectContaining({ fields: [expect.objectContaining({ pointer: "#/claimNamespaces" })] }),
  );
  expect(() => claimsOf(receiptUsing(...many))).toThrow(
    expect.objectContaining({ fields: [expect.objectContaining({ pointer: "#/receipt/usedMemories" })] }),
  );
  expect(
    claimsOf(
      receiptUsing(),
      Array.from({ length: 1_000 }, (_, i) => `n${i % 64}`),
    ).length,
  ).toBe(64);
});

test("claims that are too long together for an argument on Sui are refused", () => {
  const long = Array.from({ length: 64 }, (_, i) => "𝕏".repeat(63) + String.fromCodePoint(0x20000 + i));
  expect(() => claimsOf(receiptUsing(), long)).toThrow(expect.objectContaining({ code: "invalid-request" }));
});

test("an answer whose namespaces have names that are too long together cannot be anchored", () => {
  const long = Array.from({ length: 64 }, (_, i) => "𝕏".repeat(63) + String.fromCodePoint(0x20000 + i));
  expect(() => claimsOf(receiptUsing(...long))).toThrow(expect.objectContaining({ code: "invalid-request" }));
});

test("a receipt that was issued here claims what it used, and what is requested beside", () => {
  const receipt = { usedMemories: [{ namespace: "diet" }, { namespace: "health" }] } as never;
  expect(claimsOf(receipt, [], true)).toEqual(["diet", "health"]);
  expect(claimsOf(receipt, ["finance", "diet"], true)).toEqual(["diet", "finance", "health"]);
  expect(claimsOf(receipt, [], false)).toEqual([]);
});
