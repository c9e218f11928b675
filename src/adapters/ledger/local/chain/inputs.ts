// Resolves the objects that a transaction names, with the checks of Sui (sui-transaction-checks/src/lib.rs): an owned
// object must be named with its current version, a shared object with the version at which it was shared.
import { fromBase64, SUI_CLOCK_OBJECT_ID } from "@mysten/sui/utils";
import { refusal } from "./failure.ts";
import { COIN, Coin } from "./object-kinds.ts";
import { objectDigest, type State, type StoredObject } from "./objects.ts";
import { type CallArg, type ReadTransaction, SUI_LIMITS } from "./transaction.ts";

export type Input = { readonly kind: "pure"; readonly bytes: Uint8Array } | ObjectInput;

/** An object that is not mutable is only read, and keeps its version. */
export interface ObjectInput {
  readonly kind: "object";
  readonly object: StoredObject;
  readonly isMutable: boolean;
}

/** `clock` is the version of the Clock that this transaction sees. */
export function resolveInputs({ inputs, sender }: ReadTransaction, state: State, clock: StoredObject): Input[] {
  const find = (objectId: string, version?: string): StoredObject =>
    (objectId === SUI_CLOCK_OBJECT_ID ? clock : state.get(objectId)) ?? refuseUnknown(objectId, version);

  const resolved = inputs.map(({ Pure, Object: arg }): Input => {
    if (Pure !== undefined) return { kind: "pure", bytes: fromBase64(Pure.bytes) };
    if (arg === undefined) throw refusal("the local ledger has no funds to withdraw", "UNIMPLEMENTED");
    const { ImmOrOwnedObject: owned, SharedObject: shared } = arg;
    if (owned !== undefined) return resolveOwned(owned, find(owned.objectId, owned.version), sender);
    if (shared !== undefined) return resolveShared(shared, find(shared.objectId));
    throw refusal("the local ledger has no objects to receive", "UNIMPLEMENTED");
  });
  const ids = resolved.flatMap((input) => (input.kind === "object" ? [input.object.objectId] : []));
  if (new Set(ids).size < ids.length) throw refusal("Duplicate object reference as input");
  return resolved;
}

/** Not a final refusal: another transaction may still create the object. */
function refuseUnknown(objectId: string, version?: string): never {
  const asked = version === undefined ? "None" : `Some(SequenceNumber(${version}))`;
  throw refusal(`Could not find the referenced object ${objectId} at version ${asked}`, "ABORTED");
}

type ObjectArg = NonNullable<CallArg["Object"]>;

function resolveOwned(
  { objectId, version, digest }: NonNullable<ObjectArg["ImmOrOwnedObject"]>,
  object: StoredObject,
  sender: string,
): ObjectInput {
  const { owner } = object;
  if (owner.$kind === "Shared") throw refusal("Shared object cannot be used as an owned object");
  if (BigInt(version) !== object.version) {
    throw refusal(
      `Transaction needs to be rebuilt because object ${objectId} version ${version} (${digest}) is unavailable for consumption, current version: ${object.version}`,
    );
  }
  const actual = objectDigest(object);
  if (digest !== actual) throw refusal(`Invalid Object digest for object ${objectId}. Expected digest : ${actual}`);
  if (owner.$kind === "ObjectOwner") {
    throw refusal(`Object ${objectId} is a child of object ${owner.ObjectOwner} and cannot be an input`);
  }
  if (owner.$kind === "AddressOwner" && owner.AddressOwner !== sender) {
    throw refusal(
      `Transaction was not signed by the correct sender: Object ${objectId} is owned by account address ${owner.AddressOwner}, but given owner/signer address is ${sender}`,
    );
  }
  return { kind: "object", object, isMutable: owner.$kind === "AddressOwner" };
}

function resolveShared(
  { objectId, initialSharedVersion, mutable }: NonNullable<ObjectArg["SharedObject"]>,
  object: StoredObject,
): Input {
  if (objectId === SUI_CLOCK_OBJECT_ID && mutable) {
    throw refusal("Mutable parameter provided, immutable parameter expected");
  }
  if (object.owner.$kind !== "Shared") throw refusal("Object used as shared is not shared");
  if (BigInt(initialSharedVersion) !== BigInt(object.owner.Shared.initialSharedVersion)) {
    throw refusal("Wrong initial version given for shared object");
  }
  return { kind: "object", object, isMutable: mutable };
}

/** The coins that pay, with Sui's checks (sui-types/src/gas_model). They are inputs. The effects name the first. */
export function resolvePayment(
  { payment, gasOwner, budget }: ReadTransaction,
  inputs: readonly Input[],
  state: State,
): ObjectInput[] {
  if (payment.length === 0) throw refusal("Transaction gas payment missing");
  if (payment.length > SUI_LIMITS.max_gas_payment_objects) {
    const limit = `maximum number of gas payment objects is ${SUI_LIMITS.max_gas_payment_objects}`;
    throw refusal(`Size limit exceeded: ${limit}`);
  }
  const used = new Set(inputs.flatMap((input) => (input.kind === "object" ? [input.object.objectId] : [])));
  const coins = payment.map((reference) => {
    const { objectId, version } = reference;
    const object = state.get(objectId) ?? refuseUnknown(objectId, version);
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
