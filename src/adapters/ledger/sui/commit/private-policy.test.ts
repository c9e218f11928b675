// Where the policy is private: its changes travel apart, and their digests tell nothing of them.
import { TransactionDataBuilder } from "@mysten/sui/transactions";
import { describe, expect, test } from "vitest";
import type { PendingChainAnchor } from "#ports.ts";
import { buildTransaction } from "./build-transaction.ts";
import { planTransaction } from "./plan-transaction.ts";

const id = (n: number) => `0x${String(n).padStart(64, "0")}`;
const ref = (n: number) => ({ objectId: id(n), version: "1", digest: "11111111111111111111111111111111" });
const IDS = { packageId: id(1), gateId: id(2) };
const STATE = {
  version: 0,
  initialSharedVersion: "1",
  accessId: id(3),
  closedId: "0x6",
  isEmpty: false,
  pseudonyms: false,
  keys: [],
  anchorCap: ref(4),
  policyCap: ref(5),
  previousTransaction: null,
  gas: { price: 0n, coins: [], addressBalance: 0n },
};
const UNSENT = {
  versions: [
    {
      version: 1,
      changes: [{ agentId: "a", namespace: "n", allowed: true, rules: 1 }],
      rules: 1,
      isWhole: true,
    },
  ],
  isAll: true,
};
const KEYS = [{ kind: "add", publicKey: new Uint8Array(32) }] as const;
const REQUEST = { id: 1, agentId: "a", blobId: "b", digest: "ab".repeat(32), claimed: ["n"], policyVersion: 1 };
const PENDING = [REQUEST as unknown as PendingChainAnchor];
const FREE = { price: 0n, budget: 0n, coins: [] };

const due = (isPolicyPrivate: boolean) => ({ unsent: UNSENT, keys: KEYS, isPolicyPrivate });
const digestOf = async (isPolicyPrivate: boolean) => {
  const plan = planTransaction(STATE, due(isPolicyPrivate), []);
  const bytes = await buildTransaction(IDS, id(9), STATE, plan, FREE, isPolicyPrivate);
  return TransactionDataBuilder.getDigestFromBytes(bytes);
};

describe("a transaction of a private policy", () => {
  test("has changes of the policy alone, and says that keys and anchors are left", () => {
    const plan = planTransaction(STATE, due(true), PENDING);
    expect(plan.changes).toHaveLength(2);
    expect(plan).toMatchObject({ keys: [], anchors: [], closed: 1, isAll: false });
  });

  test("is followed by one with keys and anchors", () => {
    const told = { ...due(true), unsent: { versions: [], isAll: true } };
    const plan = planTransaction({ ...STATE, version: 1 }, told, PENDING);
    expect(plan).toMatchObject({ changes: [], keys: KEYS, anchors: [{ version: 1 }], isAll: true });
  });

  test("has a digest that does not follow from its calls", async () => {
    expect(await digestOf(true)).not.toBe(await digestOf(true));
  });
});

test("a transaction of a public policy has all of it, and a digest that follows from its calls", async () => {
  const plan = planTransaction(STATE, due(false), PENDING);
  expect(plan).toMatchObject({ keys: KEYS, anchors: [{ version: 1 }], isAll: true });
  expect(plan.changes).toHaveLength(2);
  expect(await digestOf(false)).toBe(await digestOf(false));
});
