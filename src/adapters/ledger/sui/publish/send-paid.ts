// Sends one transaction: asks the node what it costs, pays for it, and waits until the node has executed it.
import { randomInt } from "node:crypto";
import type { CoreClient, SuiClientTypes } from "@mysten/sui/client";
import type { Signer } from "@mysten/sui/cryptography";
import { Transaction } from "@mysten/sui/transactions";
import { budgetFor, inSui, largestBudget, paymentFor, readGasFunds } from "#adapters/ledger/sui/payment/gas.ts";
import { withDeadline } from "#async/with-deadline.ts";

const INCLUDE = { effects: true, objectTypes: true } as const;
const CALL_MS = 60_000;
/** 50 SUI. The coin of a simulation has as much. */
const SIMULATED_BUDGET = 50_000_000_000n;

export type Fill = (transaction: Transaction) => void;
export type Executed = SuiClientTypes.Transaction<typeof INCLUDE>;

interface Estimate {
  /** What it costs, in MIST, and what may be spent at most. */
  readonly cost: bigint;
  readonly budget: bigint;
  /** What the signer has for one transaction. */
  readonly funds: bigint;
  readonly isAffordable: boolean;
}

/** What the transaction costs. Sends nothing. */
export async function estimate(client: CoreClient, sender: string, fill: Fill): Promise<Estimate> {
  const { funds, budget, payment, gasUsed } = await prepare(client, sender, fill);
  const stored = BigInt(gasUsed.storageCost) - BigInt(gasUsed.storageRebate);
  const cost = BigInt(gasUsed.computationCost) + stored;
  return { cost, budget, funds: largestBudget(funds), isAffordable: payment !== undefined };
}

export async function send(client: CoreClient, signer: Signer, fill: Fill): Promise<Executed> {
  const sender = signer.toSuiAddress();
  const { funds, budget, payment, epoch } = await prepare(client, sender, fill);
  if (payment === undefined) {
    throw new Error(`${sender} has ${inSui(largestBudget(funds))}, and this may cost ${inSui(budget)}.`);
  }
  const transaction = draft(sender, fill, funds.price);
  transaction.setGasBudget(payment.budget);
  transaction.setGasPayment([...payment.coins].map(({ objectId, version, digest }) => ({ objectId, version, digest })));
  if (payment.coins.length === 0) {
    const { chainIdentifier: chain } = await inTime((signal) => client.getChainIdentifier({ signal }));
    const epochs = { minEpoch: String(epoch), maxEpoch: String(epoch + 1n), minTimestamp: null, maxTimestamp: null };
    transaction.setExpiration({ ValidDuring: { ...epochs, chain, nonce: randomInt(2 ** 32) } });
  }
  const bytes = await transaction.build();
  const { signature } = await signer.signTransaction(bytes);
  const result = await inTime((signal) =>
    client.executeTransaction({ transaction: bytes, signatures: [signature], include: INCLUDE, signal }),
  );
  if (result.$kind === "FailedTransaction") throw failure(result.FailedTransaction);
  // The next transaction needs the new versions of the changed objects.
  await client.waitForTransaction({ digest: result.Transaction.digest, timeout: CALL_MS });
  return result.Transaction;
}

async function prepare(client: CoreClient, sender: string, fill: Fill) {
  const funds = await inTime(() => readGasFunds(client, sender));
  const transaction = draft(sender, fill, funds.price);
  transaction.setGasBudget(SIMULATED_BUDGET);
  transaction.setGasPayment([]);
  const bytes = await transaction.build();
  const result = await inTime((signal) => {
    // Without the flag, which the SDK's types lack, the node would look for the signer's own coins.
    const options = { transaction: bytes, include: INCLUDE, signal, doGasSelection: false };
    return client.simulateTransaction(options);
  });
  if (result.$kind === "FailedTransaction") throw failure(result.FailedTransaction);
  const { gasUsed } = result.Transaction.effects;
  const budget = budgetFor(gasUsed, funds);
  return { funds, budget, gasUsed, payment: paymentFor(funds, budget), epoch: BigInt(result.Transaction.epoch ?? 0) };
}

function draft(sender: string, fill: Fill, price: bigint): Transaction {
  const transaction = new Transaction();
  transaction.setSender(sender);
  transaction.setGasPrice(price);
  transaction.setExpiration({ None: true });
  fill(transaction);
  return transaction;
}

function failure({ digest, status }: Pick<Executed, "digest" | "status">): Error {
  return new Error(`The transaction ${digest} failed: ${status.error?.message ?? "no reason was given"}`);
}

const inTime = <T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  withDeadline(CALL_MS, ({ signal }) => call(signal));
