// portcullis chain publish. Tests have no node that can publish, so a stand-in takes the signed bytes, reads their
// commands, and answers as a full node does.
import { readFileSync } from "node:fs";
import { bcs } from "@mysten/sui/bcs";
import type { CoreClient } from "@mysten/sui/client";
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { TransactionDataBuilder } from "@mysten/sui/transactions";
import { verifyTransactionSignature } from "@mysten/sui/verify";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Published, publish } from "#adapters/ledger/sui/publish-package.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { startSuiNodeStandIn } from "#test/support/sui-node-stand-in/sui-node-stand-in.ts";

const bytecode = JSON.parse(readFileSync(new URL("../../move/build/gate.json", import.meta.url), "utf8"));
const id = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;
const DIGEST = "11111111111111111111111111111112";
const OTHER = id(0xbeef);

/** In MIST, with a price of 1,000. */
const PUBLISH = { computationCost: "1000000", storageCost: "30000000", storageRebate: "1000000" };
const TRANSFER = { computationCost: "1000000", storageCost: "3000000", storageRebate: "2900000" };

/** Accepts transactions that are signed and paid for, and records their commands. */
function publishingNode({ coins = [10n ** 9n], addressBalance = 0n, failAt = 0 } = {}) {
  const executed: { $kind: string }[][] = [];
  const payments: { readonly budget: bigint; readonly coins: number }[] = [];
  const types = {
    [id(1)]: "package",
    [id(2)]: `${id(1)}::gate::Gate`,
    [id(3)]: `${id(1)}::gate::AnchorCap`,
    [id(4)]: `${id(1)}::gate::PolicyCap`,
  };
  const owner = { $kind: "AddressOwner", AddressOwner: id(7) } as const;
  const changedObjects = Object.keys(types).map((objectId) => ({
    objectId,
    inputState: "DoesNotExist",
    inputVersion: null,
    inputDigest: null,
    inputOwner: null,
    outputState: objectId === id(1) ? "PackageWrite" : "ObjectWrite",
    outputVersion: "7",
    outputDigest: DIGEST,
    outputOwner: owner,
    idOperation: "Created",
  }));
  const result = (transaction: Uint8Array, message?: string) => {
    const { commands } = TransactionDataBuilder.fromBytes(transaction);
    const gasUsed = { ...(commands[0]?.$kind === "Publish" ? PUBLISH : TRANSFER), nonRefundableStorageFee: "0" };
    const error = message === undefined ? null : { $kind: "Unknown", message };
    const status = { success: message === undefined, error };
    const effects = { status, gasUsed, changedObjects, dependencies: [], unchangedConsensusObjects: [] };
    const digest = TransactionDataBuilder.getDigestFromBytes(transaction);
    const all = { digest, epoch: "3", signatures: [], status, effects, objectTypes: types };
    if (message === undefined) return { $kind: "Transaction", Transaction: all };
    return { $kind: "FailedTransaction", FailedTransaction: all };
  };
  const sum = coins.reduce((total, coin) => total + coin, 0n);
  const client = {
    getReferenceGasPrice: async () => ({ referenceGasPrice: "1000" }),
    listCoins: async () => ({
      objects: coins.map((balance, i) => ({
        objectId: id(100 + i),
        version: "1",
        digest: DIGEST,
        owner,
        type: "0x2::coin::Coin<0x2::sui::SUI>",
        balance: String(balance),
      })),
      cursor: null,
    }),
    getBalance: async () => {
      const [coinBalance, total] = [String(sum), String(sum + addressBalance)];
      return {
        balance: { coinType: "0x2::sui::SUI", balance: total, coinBalance, addressBalance: String(addressBalance) },
      };
    },
    getChainIdentifier: async () => ({ chainIdentifier: DIGEST }),
    simulateTransaction: async ({ transaction }: { transaction: Uint8Array }) => result(transaction),
    async executeTransaction({ transaction, signatures }: { transaction: Uint8Array; signatures: string[] }) {
      const { sender, commands, gasData, expiration } = TransactionDataBuilder.fromBytes(transaction).snapshot();
      const key = await verifyTransactionSignature(transaction, signatures[0] ?? "");
      expect(key.toSuiAddress()).toBe(sender);
      const named = gasData.payment ?? [];
      expect(named.length > 0 || expiration?.ValidDuring != null).toBe(true);
      payments.push({ budget: BigInt(gasData.budget ?? 0), coins: named.length });
      executed.push(commands);
      return result(transaction, executed.length === failAt ? "no room" : undefined);
    },
    waitForTransaction: async () => undefined,
    getTransaction: async ({ digest }: { digest: string }) => ({
      $kind: "Transaction",
      Transaction: { digest, signatures: [], epoch: "3", status: { success: true, error: null } },
    }),
  };
  return { client: client as unknown as CoreClient, executed, payments };
}

describe("publishing", () => {
  const signer = Ed25519Keypair.generate();

  test("sends the committed bytecode, makes the package immutable, and returns the ids", async () => {
    const { client, executed } = publishingNode();
    const published = await publish({ client, signer, bytecode });
    expect(published).toEqual({
      packageId: id(1),
      gateId: id(2),
      anchorCapId: id(3),
      policyCapId: id(4),
      txDigest: expect.any(String),
    });
    expect(executed.map((commands) => commands.map(({ $kind }) => $kind))).toEqual([["Publish", "MoveCall"]]);
    expect(executed[0]).toMatchObject([
      { Publish: { modules: bytecode.modules, dependencies: bytecode.dependencies } },
      { MoveCall: { module: "package", function: "make_immutable" } },
    ]);
  });

  test("keeps the UpgradeCap only when it is told to", async () => {
    const { client, executed } = publishingNode();
    await publish({ client, signer, bytecode, upgradeable: true });
    expect(executed.map((commands) => commands.map(({ $kind }) => $kind))).toEqual([["Publish", "TransferObjects"]]);
  });

  test("tells package and gate before it hands the PolicyCap on", async () => {
    const { client, executed } = publishingNode();
    const told: [string, number][] = [];
    const onPublished = ({ packageId }: Published) => told.push([packageId, executed.length]);
    await publish({ client, signer, bytecode, policyOwner: OTHER, onPublished });
    expect(told).toEqual([[id(1), 1]]);
    expect(executed.map((commands) => commands.map(({ $kind }) => $kind))).toEqual([
      ["Publish", "MoveCall"],
      ["TransferObjects"],
    ]);
  });

  test("tells a gate of pseudonyms with the PolicyCap, and hands it on in the same transaction", async () => {
    const { client, executed } = publishingNode();
    await publish({ client, signer, bytecode, names: "pseudonyms", policyOwner: OTHER });
    expect(executed[1]).toMatchObject([
      { MoveCall: { package: id(1), module: "gate", function: "use_pseudonyms" } },
      { $kind: "TransferObjects" },
    ]);
    const alone = publishingNode({ failAt: 2 });
    await expect(publish({ ...alone, signer, bytecode, names: "pseudonyms" })).rejects.toThrow(
      /LEDGER_NAMES=pseudonyms.*do not publish again/,
    );
  });

  test("says who has the PolicyCap when it could not be handed on", async () => {
    const { client } = publishingNode({ failAt: 2 });
    await expect(publish({ client, signer, bytecode, policyOwner: OTHER })).rejects.toThrow(
      new RegExp(`still has the PolicyCap ${id(4)}.*do not publish again.*no room`),
    );
  });

  test("pays what a simulation used and little more, with coins or from the address balance", async () => {
    const { client, payments } = publishingNode({ coins: [20_000_000n, 30_000_000n] });
    await publish({ client, signer, bytecode });
    expect(payments).toEqual([{ budget: 35_000_000n, coins: 2 }]);
    const other = publishingNode({ coins: [], addressBalance: 10n ** 9n });
    await publish({ client: other.client, signer, bytecode });
    expect(other.payments).toEqual([{ budget: 34_000_000n, coins: 0 }]);
  });

  test("rejects with the missing amount without coins, and with the node's reason when the transaction fails", async () => {
    await expect(publish({ ...publishingNode({ coins: [5n] }), signer, bytecode })).rejects.toThrow(
      /has 0\.000000005 SUI, and this may cost 0\.034 SUI/,
    );
    await expect(publish({ ...publishingNode({ failAt: 1 }), signer, bytecode })).rejects.toThrow(/failed: no room/);
  });

  test("has bytecode that begins with the magic number of Move", () => {
    for (const module of bytecode.modules) {
      expect(Buffer.from(module, "base64").subarray(0, 4).toString("hex")).toBe("a11ceb0b");
    }
    expect(bytecode.dependencies).toEqual([bcs.Address.parse(bcs.Address.serialize("0x1").toBytes()), id(2)]);
  });
});

describe("portcullis chain publish", () => {
  const signer = Ed25519Keypair.generate();
  const key = ["--keystore", signer.getSecretKey()];
  const chain = (...args: string[]) => portcullis(["chain", "publish", ...args], { settings: { HOME: "/nowhere" } });

  async function publishOn(network: string, node: CoreClient, ...args: string[]) {
    const { baseUrl, close } = await startSuiNodeStandIn(node);
    onTestFinished(close);
    return { baseUrl, result: chain("--network", network, "--url", baseUrl, ...key, ...args) };
  }

  test("prints its help", async () => {
    expect((await chain("--help")).out).toContain("portcullis chain publish --network");
  });

  test("prints the environment of the service on its output, and links to an explorer beside it", async () => {
    const address = signer.toSuiAddress();
    const { baseUrl, result } = await publishOn("testnet", publishingNode().client, "--address", address);
    const { out: stdout, err: stderr } = await result;
    expect(stdout.trimEnd().split("\n")).toEqual([
      "SUI_NETWORK=testnet",
      "SUI_KEYSTORE=<the key you signed with>",
      `SUI_ADDRESS=${address}`,
      `SUI_URL=${baseUrl}`,
      `SUI_PACKAGE_ID=${id(1)}`,
      `SUI_GATE_ID=${id(2)}`,
    ]);
    expect(stderr).toContain(`https://suiscan.xyz/testnet/object/${id(1)}`);
    expect(stderr).toContain(`https://suiscan.xyz/testnet/object/${id(2)}`);
    expect(stderr).toMatch(/https:\/\/suiscan\.xyz\/testnet\/tx\/\w+/);
    expect(stderr).toContain("The package is immutable");
    expect(stdout + stderr).not.toContain(signer.getSecretKey());
  });

  test("has printed package and gate when the PolicyCap cannot be handed on", async () => {
    const { result } = await publishOn("devnet", publishingNode({ failAt: 2 }).client, "--policy-owner", OTHER);
    expect(await result).toMatchObject({
      code: 1,
      out: expect.stringContaining(`SUI_PACKAGE_ID=${id(1)}\nSUI_GATE_ID=${id(2)}`),
      err: expect.stringContaining("The PolicyCap was not handed on"),
    });
  });

  test("--dry-run says what it costs, and sends nothing", async () => {
    const node = publishingNode();
    const { out: stdout, err: stderr } = await (await publishOn("mainnet", node.client, "--dry-run")).result;
    expect(stdout).toBe("");
    expect(stderr).toContain("Publishing costs about 0.03 SUI, and 0.034 SUI at most.");
    expect(stderr).toContain("has 1 SUI.\nNothing was sent.");
    expect(node.executed).toEqual([]);
  });

  test.for([
    ["testnet", `https://faucet.sui.io/?network=testnet&address=${signer.toSuiAddress()}`],
    ["localnet", `sui client faucet --address ${signer.toSuiAddress()}`],
    ["mainnet", "Send it some."],
  ] as const)("says on %s where a signer without SUI gets it", async ([network, hint]) => {
    const { client, executed } = publishingNode({ coins: [] });
    const { result } = await publishOn(network, client);
    expect(await result).toMatchObject({ code: 1, err: expect.stringContaining(hint) });
    expect(executed).toEqual([]);
  });

  test("names a full node that does not answer, without a stack trace", async () => {
    const { baseUrl, close } = await startSuiNodeStandIn(publishingNode().client);
    await close();
    const url = `${baseUrl}/secret`;
    const failed = chain("--network", "testnet", "--url", url, ...key);
    const { host } = new URL(baseUrl);
    expect(await failed).toMatchObject({
      code: 1,
      err: expect.stringMatching(new RegExp(`^chain publish: The full node ${host} does not answer: [^\\n]*\\n$`)),
    });
    expect(await failed).not.toMatchObject({ err: expect.stringContaining("secret") });
  });

  test.for([
    [[], "Name the network", 2],
    [["--network", "moonnet"], "--network must be mainnet, testnet, devnet or localnet", 2],
    [["--network", "testnet"], "Name the key that signs", 2],
    [["--network", "testnet", "--policy-owner", "0x1"], "--policy-owner must be", 2],
    [["--network", "testnet", "--keystore", "/nowhere/key"], "no file that exists", 1],
    [["--network", "testnet", ...key, "--url", "node"], "--url must begin with", 2],
    [["--network", "testnet", ...key, "--url", "https://a:secret@b"], "--url must not have", 2],
    [["--moon"], "There is no option --moon", 2],
  ] as const)(
    "%j is refused with a message that contains %j, without a stack trace",
    async ([args, sentence, code]) => {
      const { err, ...failed } = await chain(...args);
      expect(failed).toEqual({ code, out: "" });
      expect(err).toContain(sentence);
      expect(err).not.toMatch(/\n\s+at /);
    },
  );
});
