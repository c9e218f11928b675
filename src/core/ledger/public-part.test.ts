import { describe, expect, test } from "vitest";
import { ANONYMOUS, OPEN, type Principal } from "#core/identity/principal.ts";
import { mayReadObject, mayReadTransaction } from "./public-part.ts";

const PACKAGE = `0x${"ab".repeat(32)}`;
const AUDITOR: Principal = { role: "auditor", id: "k", name: "k" };
const transaction = (functions: Record<string, number>, success = true) => ({ status: { success }, functions });

describe("of the local ledger, a stranger reads", () => {
  test.for([
    `${PACKAGE}::gate::Receipt`,
    `${PACKAGE}::gate::Gate`,
    `${PACKAGE}::gate::Checkpoint`,
    `0x${"0".repeat(63)}2::dynamic_field::Field<${PACKAGE}::gate::LogKey,${PACKAGE}::gate::LastCheckpoint>`,
    `0x${"0".repeat(63)}2::dynamic_field::Field<u64,${PACKAGE}::gate::Closing>`,
  ])("an object of the type %s", (type) => {
    expect(mayReadObject(ANONYMOUS, { type })).toBe(true);
  });

  test.for([
    `${PACKAGE}::gate::PolicyCap`,
    `0x${"0".repeat(63)}2::dynamic_field::Field<${PACKAGE}::gate::AccessKey,${PACKAGE}::gate::History>`,
    `0x${"0".repeat(63)}2::dynamic_field::Field<u64,${PACKAGE}::gate::Gate>`,
  ])("no object of the type %s", (type) => {
    expect(mayReadObject(ANONYMOUS, { type })).toBe(false);
    expect(mayReadObject(AUDITOR, { type })).toBe(true);
    expect(mayReadObject(OPEN, { type })).toBe(true);
  });

  test.for([
    [{ anchor_receipt: 3 }],
    [{ anchor_receipt: 1, add_key: 1, end_key: 1 }],
    [{ add_key: 1 }],
    [{ anchor_checkpoint: 1 }],
  ])("a transaction that calls %o", ([functions]) => {
    expect(mayReadTransaction(ANONYMOUS, transaction(functions as Record<string, number>))).toBe(true);
  });

  test.for([
    ["tells the gate of the policy", transaction({ set_access: 1 })],
    ["closes a version", transaction({ close_version: 1 })],
    // Earlier versions sent both together.
    ["mints a receipt and tells the gate of the policy", transaction({ set_access: 1, anchor_receipt: 1 })],
    ["failed", transaction({ anchor_receipt: 1 }, false)],
    ["has a command that is no call", transaction({ anchor_receipt: 1, "": 1 })],
    ["calls nothing", transaction({})],
  ] as const)("no transaction that %s", ([, hidden]) => {
    expect(mayReadTransaction(ANONYMOUS, hidden)).toBe(false);
    expect(mayReadTransaction(AUDITOR, hidden)).toBe(true);
  });
});
