// The kinds of objects that the local ledger holds, with the types and layouts that they have on Sui.
import { type BcsType, bcs, TypeTagSerializer } from "@mysten/sui/bcs";
import { normalizeStructTag, parseStructTag, toBase64 } from "@mysten/sui/utils";
import * as move from "#adapters/ledger/gate-module.ts";
import { childIdOf } from "#core/receipt/chain-receipt.ts";

export interface Kind {
  /** The full Move type, as a full node writes it. */
  readonly type: string;
  readonly tag: ReturnType<typeof structTag>;
  /** The type in the object's BCS, where Sui has a short form for its own coin. */
  readonly moveType: { readonly Other: Kind["tag"] } | { readonly GasCoin: true };
  /** Whether the type has `store`. Then the owner may transfer an object of it. */
  readonly hasPublicTransfer: boolean;
  readonly layout: { parse(bytes: Uint8Array): object };
  /** For a dynamic field, the types of its name and value, and the layout of its name. */
  readonly field?: { readonly nameType: string; readonly valueType: string; readonly name: BcsType<never> };
}

export type Kinds = ReturnType<typeof kindsOf>;

const Id = bcs.Address;

export const Coin = bcs.struct("Coin", { id: Id, balance: bcs.struct("Balance", { value: bcs.u64() }) });
export const Clock = bcs.struct("Clock", { id: Id, timestamp_ms: bcs.u64() });
/** `sui::derived_object` adds one of these fields to the parent for every id that it has given out. */
const Claimed = bcs.struct("Claimed", { pos0: Id });
const ClaimedStatus = bcs.enum("ClaimedStatus", { Reserved: null });
export const ClaimedField = bcs.struct("Field", { id: Id, name: Claimed, value: ClaimedStatus });

export function kindsOf(packageId: string) {
  const name = (struct: string) => move.typeName(packageId, struct);
  const derivedFrom = (struct: string) =>
    TypeTagSerializer.parseFromStr(`0x2::derived_object::DerivedObjectKey<${name(struct)}>`);
  return {
    gate: kind(name("Gate"), move.Gate),
    receipt: kind(name("Receipt"), move.Receipt),
    access: fieldKind(name("AccessKey"), name("History"), move.AccessKey, move.AccessField),
    closed: fieldKind("u64", name("Closing"), bcs.u64(), move.ClosedField),
    root: fieldKind(name("RootKey"), "0x2::object::ID", move.RootKey, move.RootField),
    checkpoint: kind(name("Checkpoint"), move.Checkpoint),
    log: fieldKind(name("LogKey"), name("LastCheckpoint"), move.LogKey, move.LogField),
    policyCap: kind(name("PolicyCap"), move.Cap, true),
    anchorCap: kind(name("AnchorCap"), move.Cap, true),
    clock: CLOCK,
    claimed: CLAIMED,
    /** Not objects, but the types of the keys from which ids of receipts and gates are derived. Parsed once, for speed. */
    receiptKey: derivedFrom("ReceiptKey"),
    gateKey: derivedFrom("GateKey"),
  } as const;
}

/** Shared by all ledgers, so that an object of another publication has the same kind. */
export const CLOCK = kind("0x2::clock::Clock", Clock);
export const COIN: Kind = { ...kind("0x2::coin::Coin<0x2::sui::SUI>", Coin, true), moveType: { GasCoin: true } };
const CLAIMED = fieldKind("0x2::derived_object::Claimed", "0x2::derived_object::ClaimedStatus", Claimed, ClaimedField);

function kind(type: string, layout: Kind["layout"], hasPublicTransfer = false): Kind {
  const tag = structTag(type);
  return { type: normalizeStructTag(type), tag, moveType: { Other: tag }, hasPublicTransfer, layout };
}

function fieldKind(nameType: string, valueType: string, name: object, layout: Kind["layout"]) {
  const normal = (type: string) => (type.includes("::") ? normalizeStructTag(type) : type);
  return {
    ...kind(`0x2::dynamic_field::Field<${nameType},${valueType}>`, layout),
    field: { nameType: normal(nameType), valueType: normal(valueType), name: name as BcsType<never> },
    nameTag: TypeTagSerializer.parseFromStr(nameType),
  };
}

function structTag(type: string) {
  const { address, module, name, typeParams } = parseStructTag(type);
  const tags = typeParams.map((param) =>
    TypeTagSerializer.parseFromStr(typeof param === "string" ? param : normalizeStructTag(param)),
  );
  return { address, module, name, typeParams: tags };
}

/** A gate without rules and keys, in which version 0 is closed. */
export function emptyGate(id: string, newId: () => string, pseudonyms: boolean) {
  const access = { id: newId(), size: 0 };
  const closed = { id: newId(), size: 1 };
  const gate = move.Gate.serialize({ id, access, version: 0, closed, keys: [], pseudonyms }).toBytes();
  return { gate, closedId: closed.id };
}

type TypeTag = Parameters<typeof bcs.TypeTag.serialize>[0];

/** From the BCS of a key to the id of the dynamic field, or derived object, of `parentId` that has this key. */
export function fieldIdsOf(parentId: string, keyType: TypeTag): (key: Uint8Array) => string {
  const type = bcs.TypeTag.serialize(keyType).toBytes();
  return (key) => childIdOf(parentId, key, type);
}

/** The `json` of a full node: 64-bit numbers as strings, bytes in base64, enums by their variant. */
export function toJson(value: unknown, bytes: (value: Uint8Array) => string = toBase64): unknown {
  if (value instanceof Uint8Array) return bytes(value);
  if (Array.isArray(value)) return value.map((item) => toJson(item, bytes));
  if (typeof value !== "object" || value === null) return value;
  if ("$kind" in value) return { "@variant": value.$kind };
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toJson(item, bytes)]));
}
