// What a transaction may cost, and what pays for it, in MIST, a billionth of a SUI. An address has SUI as coins, which
// are objects, and as its address balance. A transaction that the balance pays for names no coins, and is valid in this
// epoch and the next only.
import { randomInt } from "node:crypto";
import type { CoreClient, SuiClientTypes } from "@mysten/sui/client";
import { Transaction, TransactionDataBuilder } from "@mysten/sui/transactions";
import { withDeadline } from "#async/with-deadline.ts";
import { PortcullisError } from "#core/errors.ts";
import { type Fate, fateOf } from "./send-transaction.ts";

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

export async function readGasFunds(
  client: CoreClient,
  asked: { readonly owner: string; readonly signal: AbortSignal },
): Promise<GasFunds> {
  const { signal } = asked;
  const [{ referenceGasPrice }, { objects }, { balance }] = await Promise.all([
    client.getReferenceGasPrice({ signal }),
    client.listCoins({ ...asked, limit: MAX_COINS }),
    client.getBalance(asked),
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

export function paidTransaction(sender: string, { price, budget, coins, validDuring }: GasPayment): Transaction {
  const transaction = new Transaction();
  transaction.setSender(sender);
  transaction.setGasPrice(price);
  transaction.setGasBudget(budget);
  transaction.setGasPayment(coins.map(({ objectId, version, digest }) => ({ objectId, version, digest })));
  transaction.setExpiration({ None: true });
  if (validDuring === undefined) return transaction;
  const { chain, epoch, nonce } = validDuring;
  const epochs = { minEpoch: String(epoch), maxEpoch: String(epoch + 1n), minTimestamp: null, maxTimestamp: null };
  transaction.setExpiration({ ValidDuring: { ...epochs, chain, nonce } });
  return transaction;
}

const MIST_PER_SUI = 1_000_000_000n;
const DECIMALS = 9;

/** As people write it: `0.97 SUI`. */
export function inSui(mist: bigint): string {
  const fraction = String(mist % MIST_PER_SUI)
    .padStart(DECIMALS, "0")
    .replace(/0+$/, "");
  return `${mist / MIST_PER_SUI}${fraction === "" ? "" : `.${fraction}`} SUI`;
}

type Node = Pick<PaymentOptions<unknown>, "client" | "readMs">;

/** 50 SUI. The coin of a simulation has as much, whatever the signer has. */
export const simulatedPayment = ({ price }: GasFunds): GasPayment => ({ price, budget: 50_000_000_000n, coins: [] });

export async function simulate({ client, readMs }: Node, transaction: Uint8Array) {
  const result = await withDeadline(readMs, ({ signal }) => {
    // Without the flag, which the SDK's types lack, the node would look for the signer's own coins.
    const options = { transaction, include: { effects: true } as const, signal, doGasSelection: false };
    return client.simulateTransaction(options);
  });
  return result.Transaction ?? result.FailedTransaction;
}

/** Undefined when the funds do not suffice. Sui takes a transaction that names no coins in this epoch and the next. */
export async function gasPayment(
  { client, readMs }: Node,
  funds: GasFunds,
  budget: bigint,
  epoch: string | null,
): Promise<GasPayment | undefined> {
  const payment = paymentFor(funds, budget);
  if (payment === undefined) return undefined;
  const gas = { price: funds.price, ...payment };
  if (payment.coins.length > 0) return gas;
  const { chainIdentifier: chain } = await withDeadline(readMs, ({ signal }) => client.getChainIdentifier({ signal }));
  return { ...gas, validDuring: { chain, epoch: BigInt(epoch ?? 0), nonce: randomInt(2 ** 32) } };
}

// Makes the largest transaction of a plan that the signer can pay for. What it costs is asked from the node, by
// simulation. A plan that costs more than the signer has is made again with fewer calls.

interface PaymentOptions<Plan> {
  readonly client: CoreClient;
  readonly sender: string;
  readonly funds: GasFunds;
  readonly readMs: number;
  readonly unavailableError: (cause: unknown) => PortcullisError;
  readonly planOf: (maxCalls: number) => Promise<Plan>;
  readonly build: (plan: Plan, payment: GasPayment) => Promise<Uint8Array>;
}

export type PaidPlan<Plan> = { readonly plan: Plan; readonly bytes: Uint8Array } & (
  | { readonly kind: "paid" }
  | { readonly kind: "fails"; readonly status: SuiClientTypes.ExecutionStatus }
  | { readonly kind: "rejected"; readonly fate: Exclude<Fate, { kind: "executed" }> }
);

/** Rejects with `ledger-no-gas` when the funds do not suffice for one call. */
export async function payForPlan<Plan>(options: PaymentOptions<Plan>): Promise<PaidPlan<Plan>> {
  const { funds, planOf, build } = options;
  let plan = await planOf(Number.POSITIVE_INFINITY);
  if (funds.price === 0n) {
    const free = { price: 0n, budget: 0n, coins: funds.coins };
    return { kind: "paid", plan, bytes: await build(plan, free) };
  }
  let fewest = Number.POSITIVE_INFINITY;
  for (;;) {
    const draft = await build(plan, simulatedPayment(funds));
    const simulated = await simulateOrFate(options, draft);
    if ("fate" in simulated) return { kind: "rejected", fate: simulated.fate, plan, bytes: draft };
    const { status, effects, epoch } = simulated;
    if (!status.success) return { kind: "fails", status, plan, bytes: draft };
    const budget = budgetFor(effects.gasUsed, funds);
    const payment = await gasPayment(options, funds, budget, epoch);
    if (payment !== undefined) return { kind: "paid", plan, bytes: await build(plan, payment) };
    const { length: calls } = TransactionDataBuilder.fromBytes(draft).commands;
    // No plan is smaller than the one before.
    if (calls >= fewest) throw noGasError(options, budget);
    fewest = calls;
    // The cost grows with the calls, so this many calls cost about what there is.
    const affordable = Number((BigInt(calls) * largestBudget(funds)) / budget);
    plan = await planOf(Math.max(1, Math.min(calls - 1, affordable)));
  }
}

type NodeOptions = Omit<PaymentOptions<unknown>, "planOf" | "build">;

async function simulateOrFate(options: NodeOptions, transaction: Uint8Array) {
  try {
    return await simulate(options, transaction);
  } catch (error) {
    const fate = fateOf(error);
    if (fate === undefined) throw options.unavailableError(error);
    return { fate };
  }
}

function noGasError({ sender, funds }: NodeOptions, budget: bigint): PortcullisError {
  const has = inSui(largestBudget(funds));
  return new PortcullisError(
    "ledger-no-gas",
    `The signer ${sender} has ${has}, and the next call may cost ${inSui(budget)}. Send SUI to it. The anchor is on record.`,
  );
}
