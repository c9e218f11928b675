// What a transaction may cost, and what pays for it. All amounts are in MIST, a billionth of a SUI.
//
// An address has SUI in two forms: coins, which are objects, and its address balance, which is none. A transaction is
// paid with coins, or with the address balance. Then it names no coins, and is valid in this epoch and the next only.
import type { CoreClient, SuiClientTypes } from "@mysten/sui/client";

export interface ObjectRef {
  readonly objectId: string;
  readonly version: string;
  readonly digest: string;
}

export interface GasFunds {
  /** The reference price of the epoch. 0 where nothing has to be paid, as on the local ledger. */
  readonly price: bigint;
  /** The greatest first. */
  readonly coins: readonly (ObjectRef & { readonly balance: bigint })[];
  readonly addressBalance: bigint;
}

export interface GasPayment {
  readonly price: bigint;
  readonly budget: bigint;
  /** Empty when the address balance pays. */
  readonly coins: readonly ObjectRef[];
  /** What a transaction needs that names no coins, so that it executes once. */
  readonly validDuring?: { readonly chain: string; readonly epoch: bigint; readonly nonce: number };
}

/** Sui takes 256 at most. */
const MAX_COINS = 256;

export async function readGasFunds(client: CoreClient, owner: string): Promise<GasFunds> {
  const [{ referenceGasPrice }, { objects }, { balance }] = await Promise.all([
    client.getReferenceGasPrice(),
    client.listCoins({ owner, limit: MAX_COINS }),
    client.getBalance({ owner }),
  ]);
  const coins = objects.map(({ objectId, version, digest, balance }) => ({
    objectId,
    version,
    digest,
    balance: BigInt(balance),
  }));
  return {
    price: BigInt(referenceGasPrice),
    coins: coins.sort((a, b) => (a.balance > b.balance ? -1 : 1)).slice(0, MAX_COINS),
    addressBalance: BigInt(balance.addressBalance),
  };
}

/** The most that one transaction can be paid with. The two forms do not mix. */
export function largestBudget({ coins, addressBalance }: GasFunds): bigint {
  const inCoins = sum(coins);
  return inCoins > addressBalance ? inCoins : addressBalance;
}

// The SDK adds 1,000 units of gas to what a simulation used. The tenth is for what changes before the transaction
// executes: a claim whose history has grown, another price of the epoch.
const OVERHEAD_UNITS = 1_000n;
const MARGIN = 10n;
/** What it takes to load one coin more: 40 bytes at 15 units, rounded up (sui-rpc-api, `compute_gas_loading_cost_mist`). */
const COIN_UNITS = 1_000n;

/** What a transaction may cost that used `gasUsed` in a simulation, which paid with a coin of its own. */
export function budgetFor(gasUsed: SuiClientTypes.GasCostSummary, { price }: GasFunds): bigint {
  const stored = BigInt(gasUsed.storageCost) - BigInt(gasUsed.storageRebate);
  const used = BigInt(gasUsed.computationCost) + (stored > 0n ? stored : 0n);
  return used + used / MARGIN + OVERHEAD_UNITS * price;
}

/** Undefined when the funds do not suffice. Coins come first, because what they pay for does not expire. */
export function paymentFor(funds: GasFunds, budget: bigint): Pick<GasPayment, "coins" | "budget"> | undefined {
  const loading = (coins: number) => BigInt(Math.max(coins - 1, 0)) * COIN_UNITS * funds.price;
  for (let count = 1; count <= funds.coins.length; count += 1) {
    const coins = funds.coins.slice(0, count);
    const needed = budget + loading(count);
    if (sum(coins) >= needed) return { coins, budget: needed };
  }
  return funds.addressBalance >= budget ? { coins: [], budget } : undefined;
}

const sum = (coins: GasFunds["coins"]): bigint => coins.reduce((total, { balance }) => total + balance, 0n);

const MIST_PER_SUI = 1_000_000_000n;
const DECIMALS = 9;

/** As people write it: `0.97 SUI`. */
export function inSui(mist: bigint): string {
  const fraction = String(mist % MIST_PER_SUI)
    .padStart(DECIMALS, "0")
    .replace(/0+$/, "");
  return `${mist / MIST_PER_SUI}${fraction === "" ? "" : `.${fraction}`} SUI`;
}
