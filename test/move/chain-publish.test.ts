// npm run chain -- publish. Tests have no node that can publish, so a stand-in takes the signed bytes, reads their
// commands, and answers as a full node does.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bcs } from "@mysten/sui/bcs";
import type { CoreClient } from "@mysten/sui/client";
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { TransactionDataBuilder } from "@mysten/sui/transactions";
import { verifyTransactionSignature } from "@mysten/sui/verify";
import { describe, expect, test } from "vitest";
import { publish } from "../../scripts/chain/publish.ts";

const bytecode = JSON.parse(readFileSync(new URL("../../move/build/gate.json", import.meta.url), "utf8"));
const id = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;
const DIGEST = "11111111111111111111111111111112";
const OTHER = id(0xbeef);

/** Accepts transactions that are signed and paid for, and records their commands. */
function publishingNode({ balance = 10n ** 9n, fails = false } = {}) {
  const executed: { $kind: string }[][] = [];
  const types = {
    [id(1)]: "package",
    [id(2)]: `${id(1)}::gate::Gate`,
    [id(3)]: `${id(1)}::gate::AnchorCap`,
    [id(4)]: `${id(1)}::gate::PolicyCap`,
  };
  const changed = Object.keys(types).map((objectId) => ({
    objectId,
    outputState: objectId === id(1) ? "PackageWrite" : "ObjectWrite",
    outputVersion: "7",
    outputDigest: DIGEST,
  }));
  const client = {
    getReferenceGasPrice: async () => ({ referenceGasPrice: "1000" }),
    listCoins: async () => ({
      objects: balance > 0n ? [{ objectId: id(9), version: "1", digest: DIGEST, balance: String(balance) }] : [],
    }),
    async executeTransaction({ transaction, signatures }: { transaction: Uint8Array; signatures: string[] }) {
      const { sender, commands, gasData } = TransactionDataBuilder.fromBytes(transaction).snapshot();
      const key = await verifyTransactionSignature(transaction, signatures[0] ?? "");
      expect(key.toSuiAddress()).toBe(sender);
      expect(gasData.payment).toHaveLength(1);
      executed.push(commands);
      const result = { digest: `tx${executed.length}`, effects: { changedObjects: changed }, objectTypes: types };
      if (!fails) return { $kind: "Transaction", Transaction: result };
      return {
        $kind: "FailedTransaction",
        FailedTransaction: { ...result, status: { error: { message: "no room" } } },
      };
    },
    waitForTransaction: async () => undefined,
  };
  return { client: client as unknown as CoreClient, executed };
}

describe("publishing", () => {
  const signer = Ed25519Keypair.generate();

  test("sends the committed bytecode, keeps the capabilities, and returns the ids", async () => {
    const { client, executed } = publishingNode();
    const published = await publish({ client, signer, bytecode });
    expect(published).toEqual({
      packageId: id(1),
      gateId: id(2),
      anchorCapId: id(3),
      policyCapId: id(4),
      txDigest: "tx1",
    });
    expect(executed.map((commands) => commands.map(({ $kind }) => $kind))).toEqual([["Publish", "TransferObjects"]]);
    expect(executed[0]?.[0]).toMatchObject({
      Publish: { modules: bytecode.modules, dependencies: bytecode.dependencies },
    });
  });

  test("transfers the PolicyCap to another owner in a second transaction", async () => {
    const { client, executed } = publishingNode();
    await publish({ client, signer, bytecode, policyOwner: OTHER });
    expect(executed.map((commands) => commands.map(({ $kind }) => $kind))).toEqual([
      ["Publish", "TransferObjects"],
      ["TransferObjects"],
    ]);
  });

  test("makes the package immutable when the option is set", async () => {
    const { client, executed } = publishingNode();
    await publish({ client, signer, bytecode, immutable: true });
    expect(executed[0]?.map(({ $kind }) => $kind)).toEqual(["Publish", "MoveCall"]);
    expect(executed[0]?.[1]).toMatchObject({ MoveCall: { module: "package", function: "make_immutable" } });
  });

  test("rejects with the missing amount without coins, and with the node's reason when the transaction fails", async () => {
    await expect(publish({ ...publishingNode({ balance: 5n }), signer, bytecode })).rejects.toThrow(
      /has 5 MIST.*Send it some SUI/,
    );
    await expect(publish({ ...publishingNode({ fails: true }), signer, bytecode })).rejects.toThrow(
      "tx1 failed: no room",
    );
  });

  test("has bytecode that begins with the magic number of Move", () => {
    for (const module of bytecode.modules) {
      expect(Buffer.from(module, "base64").subarray(0, 4).toString("hex")).toBe("a11ceb0b");
    }
    expect(bytecode.dependencies).toEqual([bcs.Address.parse(bcs.Address.serialize("0x1").toBytes()), id(2)]);
  });
});

describe("npm run chain", () => {
  const run = promisify(execFile);
  const script = fileURLToPath(new URL("../../scripts/chain/main.ts", import.meta.url));
  const chain = (...args: string[]) => run(process.execPath, [script, ...args], { env: { HOME: "/nowhere" } });

  test("prints its help", async () => {
    expect((await chain("--help")).stdout).toContain("npm run chain -- publish --network");
  });

  test.for([
    [["publish"], "Name the network"],
    [["publish", "--network", "moonnet"], "Name the network"],
    [["publish", "--network", "testnet"], "Name the key that signs"],
    [["publish", "--network", "testnet", "--policy-owner", "0x1"], "--policy-owner must be"],
    [["publish", "--network", "testnet", "--keystore", "/nowhere/key"], "no file that exists"],
    [["unpublish"], "only command is publish"],
  ] as const)("%j exits with 1 and a message that contains %j", async ([args, sentence]) => {
    await expect(chain(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) });
  });
});
