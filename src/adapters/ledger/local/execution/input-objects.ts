// Resolves the inputs of a transaction, with the checks of Sui (sui-transaction-checks/src/lib.rs): an owned object must
// be named with its current version, a shared object with the version at which it was shared.
import { fromBase64, SUI_CLOCK_OBJECT_ID } from "@mysten/sui/utils";
import { objectDigest, type StoredObject } from "#adapters/ledger/local/chain/objects.ts";
import type { State } from "#adapters/ledger/local/chain/state.ts";
import { refusal } from "./failure.ts";
import type { CallArg, ReadTransaction } from "./transaction.ts";

export type Input =
  | { readonly kind: "pure"; readonly bytes: Uint8Array }
  /** An object that is not mutable is only read, and keeps its version. */
  | { readonly kind: "object"; readonly object: StoredObject; readonly isMutable: boolean };

/** `clock` is the version of the Clock that this transaction sees. */
export function resolveInputs({ inputs, sender }: ReadTransaction, state: State, clock: StoredObject): Input[] {
  const find = (objectId: string, version: string | undefined): StoredObject => {
    const object = objectId === SUI_CLOCK_OBJECT_ID ? clock : state.get(objectId);
    if (object !== undefined) return object;
    const asked = version === undefined ? "None" : `Some(SequenceNumber(${version}))`;
    // Not a final refusal: another transaction may still create the object.
    throw refusal(`Could not find the referenced object ${objectId} at version ${asked}`, "ABORTED");
  };
  const resolved = inputs.map((input) => resolve(input, sender, find));
  const ids = resolved.flatMap((input) => (input.kind === "object" ? [input.object.objectId] : []));
  if (new Set(ids).size < ids.length) throw refusal("Duplicate object reference as input");
  return resolved;
}

type Find = (objectId: string, version: string | undefined) => StoredObject;

function resolve(input: CallArg, sender: string, find: Find): Input {
  switch (input.$kind) {
    case "Pure":
      return { kind: "pure", bytes: fromBase64(input.Pure.bytes) };
    case "FundsWithdrawal":
      throw refusal("the local ledger has no funds to withdraw", "UNIMPLEMENTED");
    case "Object":
      return resolveObject(input.Object, sender, find);
  }
}

function resolveObject(arg: NonNullable<CallArg["Object"]>, sender: string, find: Find): Input {
  switch (arg.$kind) {
    case "ImmOrOwnedObject":
      return resolveOwned(arg.ImmOrOwnedObject, sender, find);
    case "SharedObject":
      return resolveShared(arg.SharedObject, find);
    case "Receiving":
      throw refusal("the local ledger has no objects to receive", "UNIMPLEMENTED");
  }
}

type Ref = { readonly objectId: string; readonly version: string; readonly digest: string };

function resolveOwned({ objectId, version, digest }: Ref, sender: string, find: Find): Input {
  const object = find(objectId, version);
  const { owner } = object;
  if (owner.$kind === "Shared") throw refusal("Shared object cannot be used as an owned object");
  if (BigInt(version) !== object.version) {
    throw refusal(
      `Transaction needs to be rebuilt because object ${objectId} version ${version} (${digest}) is unavailable for consumption, current version: ${object.version}`,
    );
  }
  const actual = objectDigest(object);
  if (digest !== actual) {
    throw refusal(`Invalid Object digest for object ${objectId}. Expected digest : ${actual}`);
  }
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

type SharedRef = { readonly objectId: string; readonly initialSharedVersion: string; readonly mutable: boolean };

function resolveShared({ objectId, initialSharedVersion, mutable }: SharedRef, find: Find): Input {
  const object = find(objectId, undefined);
  if (objectId === SUI_CLOCK_OBJECT_ID && mutable) {
    throw refusal("Mutable parameter provided, immutable parameter expected");
  }
  if (object.owner.$kind !== "Shared") throw refusal("Object used as shared is not shared");
  if (BigInt(initialSharedVersion) !== BigInt(object.owner.Shared.initialSharedVersion)) {
    throw refusal("Wrong initial version given for shared object");
  }
  return { kind: "object", object, isMutable: mutable };
}
