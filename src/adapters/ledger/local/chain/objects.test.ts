import { bcs } from "@mysten/sui/bcs";
import { toBase58 } from "@mysten/sui/utils";
import { expect, test } from "vitest";
import { COIN, kindsOf } from "./object-kinds.ts";
import { childOf, IMMUTABLE, moveData, objectBcs, ownedBy, type StoredObject, shared } from "./objects.ts";

const id = (digit: string) => `0x${digit.repeat(64)}`;
const { receipt, policyCap, access, clock } = kindsOf(id("a"));

test.each([
  ["a frozen receipt", receipt, IMMUTABLE, 300],
  ["a capability", policyCap, ownedBy(id("b")), 64],
  ["a dynamic field", access, childOf(id("c")), 127],
  ["a shared object", clock, shared(9n), 40],
  ["a coin of SUI", COIN, ownedBy(id("b")), 40],
  ["a large object", receipt, IMMUTABLE, 20_000],
])("the BCS of %s is the same as the SDK writes", (_, kind, owner, length) => {
  const content = new Uint8Array(length).fill(5);
  const previousTransaction = toBase58(new Uint8Array(32).fill(9).with(0, 0));
  const object: StoredObject = {
    objectId: id("d"),
    kind,
    version: 2n ** 40n + 1n,
    owner,
    content,
    previousTransaction,
  };
  const expected = bcs.Object.serialize({ data: moveData(object), owner, previousTransaction, storageRebate: 0 });
  expect(objectBcs(object)).toEqual(expected.toBytes());
});
