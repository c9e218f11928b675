import { describe, expect, test } from "vitest";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import { signedReceiptFault } from "#core/receipt/receipt-shape.ts";
import { isSignedBy } from "#core/receipt/signature.ts";
import { ANSWERS, PUBLIC_KEY } from "./inputs.ts";
import { KEY_ID, type ReceiptVector, receiptVector } from "./receipts.ts";
import { refusedVectors } from "./refused.ts";

const [example, other] = ANSWERS.map(receiptVector) as [ReceiptVector, ReceiptVector];
const cases = refusedVectors(example, other).map(({ name, receipt }) => {
  return { name, receipt: JSON.parse(JSON.stringify(receipt)) as AnswerReceipt };
});
const isSigned = (receipt: AnswerReceipt) =>
  receipt.signature.keyId === KEY_ID && isSignedBy(receipt, Buffer.from(PUBLIC_KEY, "hex"));

describe("the vectors of refused receipts", () => {
  test.for(cases)("$name: has a shape that is refused, or a signature that does not hold", ({ name, receipt }) => {
    const fault = signedReceiptFault(receipt);
    if (name.startsWith("signed: ")) {
      expect(isSigned(receipt)).toBe(true);
      expect(fault).toBeDefined();
    } else expect(fault !== undefined || !isSigned(receipt)).toBe(true);
  });

  test("have every rule about members that depend on each other", () => {
    const faults = cases.map(({ receipt }) => signedReceiptFault(receipt)?.replaceAll(/\d+/g, "#"));
    expect(faults).toEqual(
      expect.arrayContaining([
        "blockedCount and blockedDigest must come together",
        "its blockedCount must exceed #, and so many must be listed",
        "model and template must be null together",
        "memories that were recalled need no model",
        "memories that were recalled are not cited by any answer",
        "an answer without a model uses no memories",
      ]),
    );
  });
});
