// A chain with the fees of Sui, for tests: the local ledger, whose transactions are free, behind a client that checks
// their payment and charges for it. The SDK talks to it through the stand-in for a full node.
import { type CoreClient, SuiClientError, type SuiClientTypes } from "@mysten/sui/client";
import { SuiGrpcClient } from "@mysten/sui/grpc";
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { TransactionDataBuilder } from "@mysten/sui/transactions";
import { toBase58 } from "@mysten/sui/utils";
import { createLocalSui } from "#adapters/ledger/local/local-sui.ts";
import { eventsNamed, type GrpcChain } from "./local-chain.ts";
import { memoryLog } from "./memory-log.ts";
import { startSuiNodeStandIn } from "./sui-node-stand-in/sui-node-stand-in.ts";

/** In MIST. */
export interface Purse {
  price: bigint;
  coins: bigint[];
  addressBalance: bigint;
}

/** An anchor creates two objects of some 330 bytes each, at 7,600 MIST a byte. */
const CREATED_OBJECT = 2_500_000n;
const UNITS_PER_COMMAND = 500n;
const BASE_UNITS = 1_000n;
/** What the coin of a simulation stores, which is not there when the transaction executes. */
const SIMULATED_COIN = 988_000n;

export type PricedChain = GrpcChain & {
  /** Tests change it to give, to take, and to begin another epoch. */
  readonly purse: Purse;
  /** The payment of each transaction that was executed. */
  readonly paid: { readonly budget: bigint; readonly cost: bigint; readonly coins: number }[];
};

export async function startPricedChain(purse: Purse): Promise<PricedChain> {
  const signer = Ed25519Keypair.generate();
  const owner = signer.toSuiAddress();
  const log = memoryLog();
  const local = await createLocalSui({ log, owner, isFree: true });
  const paid: PricedChain["paid"] = [];
  let version = 1;

  const coin = (balance: bigint, i: number): SuiClientTypes.Coin => ({
    objectId: `0x${"c".repeat(63)}${i.toString(16)}`,
    version: String(version),
    digest: toBase58(new Uint8Array(32).fill(version % 256)),
    owner: { $kind: "AddressOwner", AddressOwner: owner },
    type: "0x2::coin::Coin<0x2::sui::SUI>",
    balance: String(balance),
  });
  const coins = () => purse.coins.map(coin);

  async function gasUsed(transaction: Uint8Array) {
    const include = { effects: true } as const;
    const result = await local.simulateTransaction({ transaction, include });
    const { effects } = (result.Transaction ?? result.FailedTransaction) as SuiClientTypes.Transaction<typeof include>;
    const created = effects.changedObjects.filter(({ idOperation }) => idOperation === "Created").length;
    const { commands } = TransactionDataBuilder.fromBytes(transaction);
    const computationCost = (BASE_UNITS + UNITS_PER_COMMAND * BigInt(commands.length)) * purse.price;
    return { computationCost, storageCost: BigInt(created) * CREATED_OBJECT };
  }

  const overrides: Partial<CoreClient> = {
    getReferenceGasPrice: async () => ({ referenceGasPrice: String(purse.price) }),
    listCoins: async () => ({ objects: coins(), hasNextPage: false, cursor: null }),
    getBalance: async () => {
      const coinBalance = sum(purse.coins);
      const text = { balance: coinBalance + purse.addressBalance, coinBalance, addressBalance: purse.addressBalance };
      const [balance = "", inCoins = "", inAddress = ""] = Object.values(text).map(String);
      return { balance: { coinType: "0x2::sui::SUI", balance, coinBalance: inCoins, addressBalance: inAddress } };
    },
    async simulateTransaction(options: SuiClientTypes.SimulateTransactionOptions) {
      const transaction = options.transaction as Uint8Array;
      refuseLowPrice(transaction);
      const result = await local.simulateTransaction(options);
      const { computationCost, storageCost } = await gasUsed(transaction);
      const { effects } = (result.Transaction ?? result.FailedTransaction) as SuiClientTypes.Transaction<{
        effects: true;
      }>;
      if (effects !== undefined) {
        effects.gasUsed.computationCost = String(computationCost);
        effects.gasUsed.storageCost = String(storageCost + SIMULATED_COIN);
      }
      return result as never;
    },
    async executeTransaction(options: SuiClientTypes.ExecuteTransactionOptions) {
      const { transaction } = options;
      const { gasData, expiration } = TransactionDataBuilder.fromBytes(transaction);
      refuseLowPrice(transaction);
      const named = gasData.payment ?? [];
      for (const { objectId, version: at } of named) {
        const known = coins().find((each) => each.objectId === objectId);
        if (known?.version !== String(at)) throw refusal(`object ${objectId} version ${at} is unavailable`);
      }
      const indexes = named.map(({ objectId }) => coins().findIndex((each) => each.objectId === objectId));
      const isFromAddress = named.length === 0;
      if (isFromAddress && expiration?.ValidDuring == null) throw refusal("Transaction gas payment missing");
      const balance = isFromAddress ? purse.addressBalance : sum(indexes.map((i) => purse.coins[i] ?? 0n));
      const budget = BigInt(gasData.budget ?? 0);
      if (balance < budget)
        throw refusal(`Balance of gas object ${balance} is lower than the needed amount: ${budget}`);
      const { computationCost, storageCost } = await gasUsed(transaction);
      const cost = computationCost + storageCost;
      if (cost > budget) throw refusal("the budget is too low");
      const result = await local.executeTransaction(options);
      version += 1;
      paid.push({ budget, cost, coins: named.length });
      if (isFromAddress) purse.addressBalance -= cost;
      else {
        // The coins become one.
        const rest = purse.coins.filter((_, i) => !indexes.includes(i));
        purse.coins.splice(0, purse.coins.length, balance - cost, ...rest);
      }
      return result as never;
    },
  };

  function refuseLowPrice(transaction: Uint8Array): void {
    const price = BigInt(TransactionDataBuilder.fromBytes(transaction).gasData.price ?? 0);
    if (price < purse.price) throw refusal(`Gas price ${price} under reference gas price (RGP) ${purse.price}`);
  }

  const priced = new Proxy(local, {
    get(target, name) {
      const value = name in overrides ? overrides[name as keyof typeof overrides] : Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const node = await startSuiNodeStandIn(priced);
  const { core: client } = new SuiGrpcClient({ network: "localnet", baseUrl: node.baseUrl });
  const { packageId, gateId } = local;
  return {
    client,
    signer,
    packageId,
    gateId,
    node,
    purse,
    paid,
    executed: async () => log.entries.length,
    events: (name) => eventsNamed(local, name),
    stop: () => node.close(),
  };
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

class Refusal extends SuiClientError {
  readonly code = "INVALID_ARGUMENT";
}

const refusal = (message: string) => new Refusal(message);
