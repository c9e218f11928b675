import { bcs, TypeTagSerializer } from "@mysten/sui/bcs";
import { deriveDynamicFieldID, deriveObjectID } from "@mysten/sui/utils";
import fc from "fast-check";
import { expect, test } from "vitest";
import { typeName } from "#adapters/ledger/gate-module.ts";
import { receiptIdOf } from "#core/receipt/chain-receipt.ts";
import { fieldIdsOf, kindsOf } from "./object-kinds.ts";

const id = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`);

test("derives the same ids as the SDK", () => {
  fc.assert(
    fc.property(id, id, fc.uint8Array({ maxLength: 600 }), (parent, packageId, key) => {
      const type = typeName(packageId, "AccessKey");
      expect(fieldIdsOf(parent, TypeTagSerializer.parseFromStr(type))(key)).toBe(
        deriveDynamicFieldID(parent, type, key),
      );
      const { receiptKey } = kindsOf(packageId);
      expect(fieldIdsOf(parent, receiptKey)(key)).toBe(deriveObjectID(parent, typeName(packageId, "ReceiptKey"), key));
    }),
  );
});

test("derives the id of a receipt that receiptIdOf predicts", () => {
  const [packageId, gate] = [`0x${"a".repeat(64)}`, `0x${"b".repeat(64)}`];
  const claimed = ["a", "b"];
  const bytes = bcs
    .tuple([bcs.byteVector(), bcs.vector(bcs.string()), bcs.u64()])
    .serialize([new Uint8Array(32).fill(3), claimed, 7n]);
  expect(fieldIdsOf(gate, kindsOf(packageId).receiptKey)(bytes.toBytes())).toBe(
    receiptIdOf({ packageId, gate, digest: "03".repeat(32), claimed, policyVersion: 7n }),
  );
});
