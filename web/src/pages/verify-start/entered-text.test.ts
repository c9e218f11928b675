import fc from "fast-check";
import { expect, test } from "vitest";
import { readEntered } from "./entered-text.ts";

const HERE = "https://example.org/memory";
const ID = `0x${"ab".repeat(32)}`;

test.for([
  ["0x2", { kind: "receipt", receiptId: `0x${"2".padStart(64, "0")}`, fragment: "" }],
  [` ${ID.toUpperCase().replace("0X", "0x")} `, { kind: "receipt", receiptId: ID, fragment: "" }],
  [`${HERE}/verify/${ID}#q_-1`, { kind: "receipt", receiptId: ID, fragment: "q_-1" }],
  [`/memory/verify/${ID}/`, { kind: "receipt", receiptId: ID, fragment: "" }],
  ["ans_01k9b0zv3e5kq2w8r7t6y5x4n3", { kind: "id", id: "ans_01k9b0zv3e5kq2w8r7t6y5x4n3" }],
  ["AB".repeat(32), { kind: "id", id: "ab".repeat(32) }],
  ['{"receipt":{}}', { kind: "text", text: '{"receipt":{}}' }],
  [`https://elsewhere.test/verify/${ID}`, { kind: "elsewhere", host: "elsewhere.test" }],
  [`https://example.org/other/verify/${ID}`, { kind: "none", fault: expect.stringContaining("not the id") }],
  ["javascript:alert(1)", { kind: "none", fault: expect.stringContaining("not the id") }],
  [`//evil.test/verify/${ID}`, { kind: "none", fault: expect.stringContaining("not the id") }],
  ["", { kind: "none", fault: expect.stringContaining("Enter an id") }],
] as const)("%s is read as what it is", ([text, expected]) => {
  expect(readEntered(text, HERE)).toEqual(expected);
});

test("no text leads anywhere but to a page of this service", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.string().map((text) => `${HERE}/verify/${text}`),
      ),
      (text) => {
        const entered = readEntered(text, HERE);
        if (entered.kind === "receipt") expect(entered.receiptId).toMatch(/^0x[0-9a-f]{64}$/);
        if (entered.kind === "id") expect(entered.id).toMatch(/^[\w.~=-]{1,128}$/);
      },
    ),
  );
});
