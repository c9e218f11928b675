// The coins that pay for a transaction, with the checks of Sui (sui-types/src/gas_model). The price is 0, so that they
// lose nothing. As on Sui, they are inputs: each transaction gives them its version.
import type { Genesis } from "#adapters/ledger/local/chain/genesis.ts";
import { COIN, Coin } from "#adapters/ledger/local/chain/object-kinds.ts";
import type { State } from "#adapters/ledger/local/chain/state.ts";
import { refusal } from "./failure.ts";
import { type Input, type ObjectInput, resolveOwned } from "./input-objects.ts";
import { type ReadTransaction, SUI_LIMITS } from "./transaction.ts";

/** The first coin is the one that the effects name. */
export function resolvePayment(
  { payment, gasOwner, budget }: ReadTransaction,
  inputs: readonly Input[],
  { gasCoinId }: Genesis,
  state: State,
): ObjectInput[] {
  if (gasCoinId === undefined) return [];
  if (payment.length === 0) throw refusal("Transaction gas payment missing");
  if (payment.length > SUI_LIMITS.max_gas_payment_objects) {
    throw refusal(
      `Size limit exceeded: maximum number of gas payment objects is ${SUI_LIMITS.max_gas_payment_objects}`,
    );
  }
  const used = new Set(inputs.flatMap((input) => (input.kind === "object" ? [input.object.objectId] : [])));
  const coins = payment.map((reference) => {
    const { objectId, version } = reference;
    const object = state.get(objectId);
    if (object === undefined) {
      const asked = `Some(SequenceNumber(${version}))`;
      throw refusal(`Could not find the referenced object ${objectId} at version ${asked}`, "ABORTED");
    }
    if (object.kind !== COIN) throw refusal(`Object ${objectId} is not a gas object`);
    if (used.has(objectId)) throw refusal(`Mutable object ${objectId} cannot appear more than one in one transaction`);
    used.add(objectId);
    return resolveOwned(reference, object, gasOwner);
  });
  const balance = coins.reduce((sum, { object }) => sum + BigInt(Coin.parse(object.content).balance.value), 0n);
  if (balance < budget) {
    throw refusal(`Balance of gas object ${balance} is lower than the needed amount: ${budget}`);
  }
  return coins;
}
