// Builds the bytes of one programmable transaction from a plan. The plan's state has the references of all objects, so
// building asks no node.
import { bcs } from "@mysten/sui/bcs";
import { Transaction, type TransactionObjectArgument } from "@mysten/sui/transactions";
import { type GateIds, MODULE } from "#adapters/ledger/gate-module.ts";
import { PortcullisError } from "#core/errors.ts";
import { type ChainState, refOf } from "./chain-reader.ts";
import type { TransactionPlan } from "./plan-transaction.ts";

// Gas budgets in MIST. They are generous, because Sui charges only the gas that is used. A receipt and its marker store
// about 1 KB, at 7,600 MIST a byte.
const BASE_BUDGET = 20_000_000n;
const CHANGE_BUDGET = 5_000_000n;
const ANCHOR_BUDGET = 15_000_000n;
/** Sui takes at most 256 coins as payment. */
const MAX_COINS = 250;

export async function buildTransaction(
  ids: GateIds,
  sender: string,
  state: ChainState,
  plan: TransactionPlan,
): Promise<Uint8Array> {
  const transaction = new Transaction();
  transaction.setSender(sender);
  transaction.setExpiration({ None: true });
  pay(transaction, state, plan);

  const pure = sharedInputs(transaction);
  const text = (value: string) => pure(bcs.string().serialize(value));
  const bool = (value: boolean) => pure(bcs.bool().serialize(value));
  const u64 = (value: number) => pure(bcs.u64().serialize(value));
  const bytes = (value: Uint8Array) => pure(bcs.byteVector().serialize(value));
  const gate = transaction.sharedObjectRef({
    objectId: ids.gateId,
    initialSharedVersion: state.initialSharedVersion,
    mutable: true,
  });
  const call = (name: string, args: (TransactionObjectArgument | ReturnType<typeof pure>)[]) =>
    transaction.moveCall({ target: `${ids.packageId}::${MODULE}::${name}`, arguments: args });

  const clock = transaction.object.clock();
  if (plan.changes.length > 0 && state.policyCap !== undefined) {
    const cap = transaction.objectRef(refOf(state.policyCap));
    for (const step of plan.changes) {
      const version = u64(step.version);
      if (step.kind === "close") call("close_version", [gate, cap, version, clock]);
      else call("set_access", [gate, cap, text(step.agentId), text(step.namespace), bool(step.allowed), version]);
    }
  }
  if (plan.keys.length + plan.anchors.length > 0) {
    const cap = transaction.objectRef(state.anchorCap);
    for (const { kind, publicKey } of plan.keys) call(`${kind}_key`, [gate, cap, bytes(publicKey), clock]);
    for (const { request, version } of plan.anchors) {
      const { agentId, blobId, digest, claimed } = request;
      call("anchor_receipt", [
        gate,
        cap,
        text(agentId),
        text(blobId),
        bytes(Buffer.from(digest, "hex")),
        pure(bcs.vector(bcs.string()).serialize(claimed)),
        u64(version),
        clock,
      ]);
    }
  }
  return transaction.build();
}

/** Equal arguments share one input, which leaves more of the 128 KiB for anchors. */
function sharedInputs(transaction: Transaction) {
  const inputs = new Map<string, ReturnType<Transaction["pure"]>>();
  return (value: { toBytes(): Uint8Array; toBase64(): string }) => {
    const key = value.toBase64();
    const input = inputs.get(key) ?? transaction.pure(value.toBytes());
    inputs.set(key, input);
    return input;
  };
}

function pay(transaction: Transaction, { gas }: ChainState, { changes, anchors }: TransactionPlan): void {
  const needed = BASE_BUDGET + CHANGE_BUDGET * BigInt(changes.length) + ANCHOR_BUDGET * BigInt(anchors.length);
  const budget = gas.price === 0n ? 0n : needed;
  const coins = gas.coins.slice(0, MAX_COINS);
  const balance = coins.reduce((sum, coin) => sum + coin.balance, 0n);
  if (balance < budget) {
    throw new PortcullisError(
      "ledger-no-gas",
      `The signer has ${balance} MIST and the transaction may need ${budget}. Send SUI to the signer's address.`,
    );
  }
  transaction.setGasPrice(gas.price);
  transaction.setGasBudget(budget);
  transaction.setGasPayment(coins.map(({ objectId, version, digest }) => ({ objectId, version, digest })));
}
