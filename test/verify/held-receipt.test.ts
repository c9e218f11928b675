// A receipt that somebody holds as a file: what it shows without the ledger, and whether it is the one that was anchored.
import { expect, test } from "vitest";
import {
  checkAnchoredText,
  checkHeldReceipt,
  type HeldReceipt,
  type NamedKey,
  readHeldReceipt,
} from "#core/verify/held-receipt.ts";
import { sortedJson } from "#test/support/reference-encoding.ts";
import {
  type ReceiptJson,
  SERVICE_KEY,
  sealedAndSigned,
  sealedReceipt,
  signed,
  signingPair,
  unsignedReceipt,
} from "#test/support/signed-receipt.ts";

const KEY: NamedKey = { ...SERVICE_KEY, hasEnded: false };
const FACT = { namespace: "diet", content: "Eats fish on Fridays.", sourceAgent: "companion" };
const RECEIPT = sealedAndSigned(
  unsignedReceipt({ agentId: "assistant", facts: [FACT], blockedNamespaces: ["finance"], idOf: () => "blob" }),
);

function heldOf(value: unknown): HeldReceipt {
  const reading = readHeldReceipt(value);
  if ("fault" in reading) throw new Error(reading.fault);
  return reading.held;
}

const statuses = (value: unknown, keys: readonly NamedKey[] | "none" = [KEY]) =>
  Object.fromEntries(
    checkHeldReceipt(heldOf(value), keys === "none" ? undefined : keys).map(({ name, status, code }) => [
      name,
      code ?? status,
    ]),
  );

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(sortedJson(value));

test("a receipt that the service signed passes by itself", () => {
  expect(statuses(RECEIPT)).toEqual({ evidence: "pass", statements: "pass", stored: "pass", signature: "pass" });
});

test("a changed field, another's key, an ended key and no key are each told", () => {
  const changed = { ...RECEIPT, agentId: "planner" };
  expect(statuses(changed).signature).toBe("signature-wrong");
  expect(statuses(signed(RECEIPT, signingPair(9))).signature).toBe("key-not-on-gate");
  expect(statuses(RECEIPT, [{ ...KEY, hasEnded: true }]).signature).toBe("key-ended-unanchored");
  expect(statuses(RECEIPT, "none").signature).toBe("keys-unknown");
  const { signature: _, evidence: __, ...bare } = RECEIPT as ReceiptJson & { signature: unknown };
  expect(statuses(bare)).toMatchObject({ signature: "signature-absent", evidence: "evidence-absent" });
  expect(statuses({ ...RECEIPT, blockedNamespaces: ["diet"] }).statements).toBe("namespace-blocked");
});

test("the text that was anchored is recognized in the open and in the sealed form, and no other is", () => {
  const compare = (held: unknown, anchored: unknown) => {
    const { status, code } = checkAnchoredText(heldOf(held), bytesOf(anchored));
    return code ?? status;
  };
  const sealed = sealedReceipt(RECEIPT);
  expect(compare(RECEIPT, RECEIPT)).toBe("pass");
  expect(compare(RECEIPT, sealed)).toBe("pass");
  expect(compare(sealed, RECEIPT)).toBe("pass");
  expect(compare({ ...RECEIPT, agentId: "planner" }, RECEIPT)).toBe("digest-differs");
  expect(compare({ ...RECEIPT, agentId: "planner" }, sealed)).toBe("digest-differs");
  expect(compare(RECEIPT, "no receipt")).toBe("digest-differs");
});
