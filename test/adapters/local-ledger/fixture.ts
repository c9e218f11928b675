// Transactions for tests, built and signed as the adapter does it.
import { bcs } from "@mysten/sui/bcs";
import type { CoreClient } from "@mysten/sui/client";
import type { Signer } from "@mysten/sui/cryptography";
import { Transaction } from "@mysten/sui/transactions";
import { SUI_CLOCK_OBJECT_ID } from "@mysten/sui/utils";
import { MODULE } from "#adapters/ledger/gate-module.ts";
import type { LocalSui } from "#adapters/ledger/local/local-sui.ts";

export interface SetAccess {
  readonly function: "set_access";
  readonly agent: string;
  readonly namespace: string;
  readonly allowed: boolean;
  readonly version: number;
}

export interface CloseVersion {
  readonly function: "close_version";
  readonly version: number;
}

export interface UsePseudonyms {
  readonly function: "use_pseudonyms";
}

export interface KeyCall {
  readonly function: "add_key" | "end_key";
  readonly publicKey: Uint8Array;
}

export interface AnchorReceipt {
  readonly function: "anchor_receipt";
  readonly agent: string;
  readonly blobId: string;
  readonly digest: Uint8Array;
  readonly claimed: readonly string[];
  readonly policyVersion: number;
}

export interface NewGate {
  readonly function: "new_gate";
  readonly key: Uint8Array;
}

export interface AnchorCheckpoint {
  readonly function: "anchor_checkpoint";
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
}

/** `capOf` is the index of the root whose capability is used. The call always goes to one gate, the first unless `Ids` says another. */
export type TestCall = (
  | NewGate
  | UsePseudonyms
  | SetAccess
  | CloseVersion
  | KeyCall
  | AnchorReceipt
  | AnchorCheckpoint
) & {
  readonly capOf?: number;
};

export const setAccess = (agent: string, namespace: string, allowed = true, version = 1): SetAccess => ({
  function: "set_access",
  agent,
  namespace,
  allowed,
  version,
});

export const closeVersion = (version: number): CloseVersion => ({ function: "close_version", version });

export const newGate = (key: Uint8Array = new Uint8Array(32).fill(5)): NewGate => ({ function: "new_gate", key });

export const usePseudonyms: UsePseudonyms = { function: "use_pseudonyms" };

const OF_POLICY = new Set(["use_pseudonyms", "set_access", "close_version"]);

export const keyCall = (name: KeyCall["function"], publicKey: Uint8Array): KeyCall => ({ function: name, publicKey });

export const anchorReceipt = (fields: Partial<Omit<AnchorReceipt, "function">> = {}): AnchorReceipt => ({
  function: "anchor_receipt",
  agent: "trainer",
  blobId: "kBFEfZbGmm3xHVj0n1Nd8vXUvBJ4H2Ppy4yDbT7lEvM",
  digest: new Uint8Array(32).fill(7),
  claimed: [],
  policyVersion: 0,
  ...fields,
});

export const anchorCheckpoint = (
  origin = "log.example/answers",
  size = 8,
  root: Uint8Array = new Uint8Array(32).fill(9),
): AnchorCheckpoint => ({ function: "anchor_checkpoint", origin, size, root });

type Ids = Pick<LocalSui, "packageId" | "gates" | "gasCoinId" | "initialSharedVersion"> & {
  /** The gate to call. Left out: the first. `initialSharedVersion` is its own. */
  readonly gateId?: string;
};

/** `client` gives only the versions of the coin and the capabilities. */
export async function draftTransaction(client: CoreClient, ids: Ids, calls: readonly TestCall[]): Promise<Transaction> {
  const { packageId, gates, gasCoinId, initialSharedVersion } = ids;
  const transaction = new Transaction();
  transaction.setExpiration({ None: true });
  transaction.setGasPrice(0);
  transaction.setGasBudget(0);
  transaction.setGasPayment(gasCoinId === undefined ? [] : [(await client.getObject({ objectId: gasCoinId })).object]);
  const gateId = ids.gateId ?? gates[0]?.gateId ?? "";
  const gate = transaction.sharedObjectRef({ objectId: gateId, initialSharedVersion, mutable: true });
  const clock = transaction.sharedObjectRef({
    objectId: SUI_CLOCK_OBJECT_ID,
    initialSharedVersion: 1,
    mutable: false,
  });
  const caps = new Map<string, ReturnType<Transaction["objectRef"]>>();
  const cap = async (objectId: string) => {
    const found = caps.get(objectId) ?? transaction.objectRef((await client.getObject({ objectId })).object);
    caps.set(objectId, found);
    return found;
  };
  for (const call of calls) {
    const capGate = gates[call.capOf ?? 0];
    const target = `${packageId}::${MODULE}::${call.function}`;
    const isPolicy = OF_POLICY.has(call.function);
    const used = await cap((isPolicy ? capGate?.policyCapId : capGate?.anchorCapId) ?? "");
    transaction.moveCall({ target, arguments: [gate, used, ...valuesOf(transaction, call, clock)] });
  }
  return transaction;
}

function valuesOf(transaction: Transaction, call: TestCall, clock: ReturnType<Transaction["sharedObjectRef"]>) {
  const { string, bool, u64 } = transaction.pure;
  const bytes = (value: Uint8Array) => transaction.pure(bcs.byteVector().serialize(value));
  switch (call.function) {
    case "new_gate":
      return [bytes(call.key)];
    case "use_pseudonyms":
      return [];
    case "set_access":
      return [string(call.agent), string(call.namespace), bool(call.allowed), u64(call.version)];
    case "close_version":
      return [u64(call.version), clock];
    case "add_key":
    case "end_key":
      return [bytes(call.publicKey), clock];
    case "anchor_checkpoint":
      return [string(call.origin), u64(call.size), bytes(call.root), clock];
    case "anchor_receipt": {
      const claimed = transaction.pure(bcs.vector(bcs.string()).serialize([...call.claimed]));
      return [string(call.agent), string(call.blobId), bytes(call.digest), claimed, u64(call.policyVersion), clock];
    }
  }
}

export interface Signed {
  readonly transaction: Uint8Array;
  readonly signatures: string[];
}

export async function sign(transaction: Transaction, signer: Signer): Promise<Signed> {
  transaction.setSenderIfNotSet(signer.toSuiAddress());
  const { bytes, signature } = await signer.signTransaction(await transaction.build());
  return { transaction: Uint8Array.from(Buffer.from(bytes, "base64")), signatures: [signature] };
}

export async function signedCalls(
  client: CoreClient,
  ids: Ids,
  signer: Signer,
  calls: readonly TestCall[],
): Promise<Signed> {
  return sign(await draftTransaction(client, ids, calls), signer);
}
