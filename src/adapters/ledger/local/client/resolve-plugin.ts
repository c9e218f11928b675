// Resolves a transaction that the SDK builds with this client: fills in the versions of objects, and gas, which is free.
import type { TransactionPlugin } from "@mysten/sui/transactions";
import { normalizeSuiAddress, SUI_CLOCK_OBJECT_ID } from "@mysten/sui/utils";
import type { Chain } from "#adapters/ledger/local/chain/chain.ts";
import { objectDigest } from "#adapters/ledger/local/chain/objects.ts";
import type { State } from "#adapters/ledger/local/chain/state.ts";

export function resolvePlugin({ state, catchUp }: Pick<Chain, "state" | "catchUp">): TransactionPlugin {
  return async (data, options, next) => {
    await catchUp();
    data.inputs = data.inputs.map((input) =>
      input.$kind === "UnresolvedObject" ? reference(state, input.UnresolvedObject.objectId) : input,
    );
    if (!options.onlyTransactionKind) {
      data.expiration ??= { $kind: "None", None: true };
      data.gasData.price ??= "0";
      data.gasData.budget ??= "0";
      data.gasData.payment ??= paymentOf(state, normalizeSuiAddress(data.gasData.owner ?? data.sender ?? "0x0"));
    }
    await next();
  };
}

/** The coins of the address. */
function paymentOf(state: State, owner: string) {
  return state.idsOwnedBy(owner).flatMap((objectId) => {
    const object = state.get(objectId);
    if (object === undefined || !("GasCoin" in object.kind.moveType)) return [];
    return [{ objectId, version: String(object.version), digest: objectDigest(object) }];
  });
}

function reference(state: State, id: string) {
  const objectId = normalizeSuiAddress(id);
  const object = state.get(objectId);
  if (object === undefined) throw new Error(`The following input objects are invalid: Object ${objectId} not found`);
  const { owner, version } = object;
  if (owner.$kind !== "Shared") {
    const ImmOrOwnedObject = { objectId, version: String(version), digest: objectDigest(object) };
    return { $kind: "Object", Object: { $kind: "ImmOrOwnedObject", ImmOrOwnedObject } } as const;
  }
  // Every call takes the gate as mutable. Only the clock is read.
  const SharedObject = { objectId, ...owner.Shared, mutable: objectId !== SUI_CLOCK_OBJECT_ID };
  return { $kind: "Object", Object: { $kind: "SharedObject", SharedObject } } as const;
}
