// Makes the largest transaction of a plan that the signer can pay for. What it costs is asked from the node, by
// simulation. A plan that costs more than the signer has is made again with fewer calls.
import { randomInt } from "node:crypto";
import type { CoreClient, SuiClientTypes } from "@mysten/sui/client";
import { TransactionDataBuilder } from "@mysten/sui/transactions";
import { type Fate, fateOf } from "#adapters/ledger/sui/commit/send-transaction.ts";
import { withDeadline } from "#async/with-deadline.ts";
import { PortcullisError } from "#core/errors.ts";
import { budgetFor, type GasFunds, type GasPayment, inSui, largestBudget, paymentFor } from "./gas.ts";

export interface PaymentOptions<Plan> {
  readonly client: CoreClient;
  readonly sender: string;
  readonly funds: GasFunds;
  readonly readMs: number;
  readonly unavailableError: (cause: unknown) => PortcullisError;
  /** The plan with this many calls at most. */
  readonly planOf: (maxCalls: number) => Promise<Plan>;
  readonly build: (plan: Plan, payment: GasPayment) => Promise<Uint8Array>;
}

/** The bytes to sign, or why the node says that they would not succeed. */
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
    const draft = await build(plan, { price: funds.price, budget: SIMULATED_BUDGET, coins: [] });
    const simulated = await simulate(options, draft);
    if (simulated.kind === "rejected") return { kind: "rejected", fate: simulated.fate, plan, bytes: draft };
    const { status, effects, epoch } = simulated.transaction;
    if (!status.success) return { kind: "fails", status, plan, bytes: draft };
    const budget = budgetFor(effects.gasUsed, funds);
    const payment = paymentFor(funds, budget);
    if (payment !== undefined) {
      const validDuring = payment.coins.length === 0 ? await thisEpoch(options, epoch) : undefined;
      const gas = { price: funds.price, ...payment, ...(validDuring && { validDuring }) };
      return { kind: "paid", plan, bytes: await build(plan, gas) };
    }
    const { length: calls } = TransactionDataBuilder.fromBytes(draft).commands;
    // No plan is smaller than the one before.
    if (calls >= fewest) throw noGasError(options, budget);
    fewest = calls;
    // The cost grows with the calls, so this many calls cost about what there is.
    const affordable = Number((BigInt(calls) * largestBudget(funds)) / budget);
    plan = await planOf(Math.max(1, Math.min(calls - 1, affordable)));
  }
}

/** 50 SUI. The coin of a simulation has as much, whatever the signer has. */
const SIMULATED_BUDGET = 50_000_000_000n;

type NodeOptions = Omit<PaymentOptions<unknown>, "planOf" | "build">;

async function simulate({ client, readMs, unavailableError }: NodeOptions, transaction: Uint8Array) {
  const include = { effects: true } as const;
  try {
    const result = await withDeadline(readMs, ({ signal }) => {
      // Without the flag, which the SDK's types lack, the node would look for the signer's own coins.
      const options = { transaction, include, signal, doGasSelection: false };
      return client.simulateTransaction(options);
    });
    const simulated = result.Transaction ?? result.FailedTransaction;
    return { kind: "simulated", transaction: simulated } as const;
  } catch (error) {
    const fate = fateOf(error);
    if (fate === undefined) throw unavailableError(error);
    return { kind: "rejected", fate } as const;
  }
}

/** The two epochs in which Sui takes a transaction that names no coins. */
async function thisEpoch({ client, readMs }: NodeOptions, epoch: string | null) {
  const { chainIdentifier } = await withDeadline(readMs, ({ signal }) => client.getChainIdentifier({ signal }));
  return { chain: chainIdentifier, epoch: BigInt(epoch ?? 0), nonce: randomInt(2 ** 32) };
}

function noGasError({ sender, funds }: NodeOptions, budget: bigint): PortcullisError {
  const has = inSui(largestBudget(funds));
  return new PortcullisError(
    "ledger-no-gas",
    `The signer ${sender} has ${has}, and the next call may cost ${inSui(budget)}. Send SUI to it. The anchor is on record.`,
  );
}
