// Builds the bytes of a transaction from a plan, whose state has the references of all objects: this asks no node.
import { randomBytes } from "node:crypto";
import type { Transaction, TransactionObjectArgument } from "@mysten/sui/transactions";
import * as move from "#adapters/ledger/gate-module.ts";
import type { ChainState } from "#adapters/ledger/sui/chain-reader.ts";
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import type { Checkpoint } from "#core/log/checkpoint.ts";
import { type GasPayment, type ObjectRef, paidTransaction } from "./payment.ts";
import type { TransactionPlan } from "./plan-transaction.ts";

/** An input that no call uses. The digest of a transaction is public, and without it one could try out what it says. */
const SALT_BYTES = 32;

export async function buildTransaction(
  ids: move.GateIds,
  sender: string,
  state: ChainState,
  plan: TransactionPlan,
  payment: GasPayment,
  isPolicyPrivate = false,
): Promise<Uint8Array> {
  const transaction = paidTransaction(sender, payment);
  const call = callsIn(transaction, ids, state);
  if (plan.changes.length + Number(plan.usesPseudonyms) > 0 && state.policyCap !== undefined) {
    if (plan.usesPseudonyms) call("use_pseudonyms", {});
    if (isPolicyPrivate) transaction.pure(randomBytes(SALT_BYTES));
    for (const step of plan.changes) {
      const { version } = step;
      if (step.kind === "close") call("close_version", { version });
      else call("set_access", { agent: step.agentId, namespace: step.namespace, allowed: step.allowed, version });
    }
  }
  for (const { kind, publicKey } of plan.keys) call(`${kind}_key`, { public_key: publicKey });
  for (const { request, version } of plan.anchors) {
    const { agentId: agent, blobId: blob_id, claimed } = request;
    const digest = Buffer.from(request.digest, "hex");
    call("anchor_receipt", { agent, blob_id, digest, claimed, policy_version: version });
  }
  return transaction.build();
}

type Root = Pick<ChainState, "initialSharedVersion" | "anchorCap">;

export function buildNewGate(
  { packageId, rootId = "" }: move.GateIds,
  sender: string,
  root: Root,
  key: Uint8Array,
  payment: GasPayment,
): Promise<Uint8Array> {
  const transaction = paidTransaction(sender, payment);
  callsIn(transaction, { packageId, gateId: rootId }, root)("new_gate", { key });
  return transaction.build();
}

export function buildCheckpoint(
  ids: move.GateIds,
  sender: string,
  state: Root,
  { origin, size, root }: Checkpoint,
  payment: GasPayment,
): Promise<Uint8Array> {
  const transaction = paidTransaction(sender, payment);
  callsIn(transaction, ids, state)("anchor_checkpoint", { origin, size, root });
  return transaction.build();
}

/** Equal arguments share one input, which leaves more of the 128 KiB for anchors. */
export function callsIn(
  transaction: Transaction,
  { packageId, gateId }: Pick<move.GateIds, "packageId" | "gateId">,
  { initialSharedVersion, ...caps }: Pick<ChainState, "initialSharedVersion"> & Partial<Pick<ChainState, Caps>>,
) {
  const inputs = new Map<string, TransactionObjectArgument | ReturnType<Transaction["pure"]>>();

  function object(type: move.ObjectType) {
    if (type === "clock") return transaction.object.clock();
    if (type !== "gate") return transaction.objectRef(caps[type] as ObjectRef);
    return transaction.sharedObjectRef({ objectId: gateId, initialSharedVersion, mutable: true });
  }

  return <Name extends move.FunctionName>(name: Name, values: move.PureArguments<Name, number>): void => {
    const args = (move.PARAMETERS.get(name) ?? []).map(([parameter, type]) => {
      if (!move.isPure(type)) return getOrInsert(inputs, type, () => object(type));
      const value = move.PURE[type].serialize(values[parameter as keyof typeof values] as never);
      return getOrInsert(inputs, `0x${value.toHex()}`, () => transaction.pure(value.toBytes()));
    });
    transaction.moveCall({ target: `${packageId}::${move.MODULE}::${name}`, arguments: args });
  };
}

type Caps = "anchorCap" | "policyCap";
