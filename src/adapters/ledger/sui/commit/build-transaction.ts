// Builds the bytes of one programmable transaction from a plan. The plan's state has the references of all objects, so
// building asks no node.
import { randomBytes } from "node:crypto";
import { bcs } from "@mysten/sui/bcs";
import type { Transaction, TransactionObjectArgument } from "@mysten/sui/transactions";
import { type GateIds, MODULE } from "#adapters/ledger/gate-module.ts";
import type { ChainState } from "#adapters/ledger/sui/chain-reader.ts";
import type { Checkpoint } from "#core/log/checkpoint.ts";
import { type GasPayment, paidTransaction } from "./payment.ts";
import type { TransactionPlan } from "./plan-transaction.ts";

/** An input that no call uses. The digest of a transaction is public, and without it one could try out what it says. */
const SALT_BYTES = 32;

export async function buildTransaction(
  ids: GateIds,
  sender: string,
  state: ChainState,
  plan: TransactionPlan,
  payment: GasPayment,
  isPolicyPrivate = false,
): Promise<Uint8Array> {
  const transaction = paidTransaction(sender, payment);

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
  if (plan.changes.length + Number(plan.usesPseudonyms) > 0 && state.policyCap !== undefined) {
    const cap = transaction.objectRef(state.policyCap);
    if (plan.usesPseudonyms) call("use_pseudonyms", [gate, cap]);
    if (isPolicyPrivate) transaction.pure(randomBytes(SALT_BYTES));
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

export function buildNewGate(
  { packageId, rootId = "" }: GateIds,
  sender: string,
  root: Pick<ChainState, "initialSharedVersion" | "anchorCap">,
  key: Uint8Array,
  payment: GasPayment,
): Promise<Uint8Array> {
  const transaction = paidTransaction(sender, payment);
  const { initialSharedVersion, anchorCap } = root;
  transaction.moveCall({
    target: `${packageId}::${MODULE}::new_gate`,
    arguments: [
      transaction.sharedObjectRef({ objectId: rootId, initialSharedVersion, mutable: true }),
      transaction.objectRef(anchorCap),
      transaction.pure(bcs.byteVector().serialize(key)),
    ],
  });
  return transaction.build();
}

export function buildCheckpoint(
  { packageId, gateId }: GateIds,
  sender: string,
  { initialSharedVersion, anchorCap }: Pick<ChainState, "initialSharedVersion" | "anchorCap">,
  { origin, size, root }: Checkpoint,
  payment: GasPayment,
): Promise<Uint8Array> {
  const transaction = paidTransaction(sender, payment);
  const { pure } = transaction;
  transaction.moveCall({
    target: `${packageId}::${MODULE}::anchor_checkpoint`,
    arguments: [
      transaction.sharedObjectRef({ objectId: gateId, initialSharedVersion, mutable: true }),
      transaction.objectRef(anchorCap),
      pure.string(origin),
      pure.u64(size),
      pure(bcs.byteVector().serialize(root)),
      transaction.object.clock(),
    ],
  });
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
