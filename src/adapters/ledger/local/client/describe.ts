// What the ledger holds, decoded for people, with the BCS beside it so that nobody has to believe the decoding.
import { bcs } from "@mysten/sui/bcs";
import { extractStatusFromEffectsBcs, type SuiClientTypes } from "@mysten/sui/client";
import { fromBase64, toBase64, toHex } from "@mysten/sui/utils";
import { toJson } from "#adapters/ledger/local/chain/kinds.ts";
import { type Owner, objectBcs, objectDigest, type StoredObject } from "#adapters/ledger/local/chain/objects.ts";
import type { Change } from "#adapters/ledger/local/chain/state.ts";
import { type Executed, statusBcs } from "#adapters/ledger/local/execution/effects.ts";
import type { GateEvent } from "#adapters/ledger/local/execution/rules.ts";
import { type Command, type ReadTransaction, readTransaction } from "#adapters/ledger/local/execution/transaction.ts";
import { decodeEvent } from "./results.ts";

export interface DescribedObject {
  readonly objectId: string;
  readonly version: string;
  /** Base58 of blake2b256 of `Object::` and the `bcs`. */
  readonly digest: string;
  readonly owner: Owner;
  readonly type: string;
  readonly previousTransaction: string;
  /** The fields of the Move struct: bytes in hex, numbers of 64 bits as strings. */
  readonly fields: unknown;
  /** Base64 of the Move struct alone. */
  readonly content: string;
  /** Base64 of the whole object. */
  readonly bcs: string;
}

export interface TransactionSummary {
  /** The place in the ledger; the genesis is number 0. */
  readonly sequence: number;
  readonly digest: string;
  readonly sender: string;
  readonly timestampMs: number;
  readonly status: SuiClientTypes.ExecutionStatus;
  /** How often it calls which function. */
  readonly functions: Readonly<Record<string, number>>;
}

export interface DescribedTransaction extends TransactionSummary {
  readonly calls: readonly { readonly function: string; readonly arguments: Readonly<Record<string, unknown>> }[];
  readonly events: readonly { readonly name: string; readonly fields: unknown; readonly bcs: string }[];
  readonly changedObjects: readonly DescribedChange[];
  readonly signatures: readonly string[];
  /** Base64 of the transaction. */
  readonly bcs: string;
}

interface DescribedChange {
  readonly objectId: string;
  readonly type: string;
  readonly change: "created" | "changed" | "deleted";
  /** The version before, for one that was deleted. */
  readonly version: string;
}

export function describeObject(object: StoredObject): DescribedObject {
  const { objectId, kind, version, owner, content, previousTransaction } = object;
  return {
    objectId,
    version: String(version),
    digest: objectDigest(object),
    owner,
    type: kind.type,
    previousTransaction,
    fields: readable(kind.layout.parse(content)),
    content: toBase64(content),
    bcs: toBase64(objectBcs(object)),
  };
}

export function summarize(executed: Executed): TransactionSummary {
  const { sequence, digest, sender, timestampMs, functions } = executed;
  const counts: Record<string, number> = Object.create(null);
  for (const name of functions) counts[name] = (counts[name] ?? 0) + 1;
  const status = extractStatusFromEffectsBcs(statusBcs(executed));
  return { sequence, digest, sender, timestampMs, status, functions: counts };
}

export function describeTransaction(executed: Executed): DescribedTransaction {
  const { sequence, bytes, signatures, events, changes } = executed;
  return {
    ...summarize(executed),
    calls: sequence === 0 ? [] : describeCalls(readTransaction(bytes)),
    events: events.map(describeEvent),
    changedObjects: changes.map(describeChange),
    signatures: [...signatures],
    bcs: toBase64(bytes),
  };
}

function describeEvent(event: GateEvent) {
  return { name: event.name, fields: readable(decodeEvent(event)), bcs: toBase64(event.bcs) };
}

function describeChange({ objectId, before, after }: Change): DescribedChange {
  const change = before === undefined ? "created" : after === undefined ? "deleted" : "changed";
  const { kind, version } = (after ?? before) as StoredObject;
  return { objectId, type: kind.type, change, version: String(version) };
}

const text = bcs.string();
const OBJECT = undefined;

/** By function, the names of its parameters and the layouts of those that are values. */
const PARAMETERS = new Map<string, readonly (readonly [string, { parse(bytes: Uint8Array): unknown } | undefined])[]>([
  [
    "set_access",
    [
      ["gate", OBJECT],
      ["cap", OBJECT],
      ["agent", text],
      ["namespace", text],
      ["allowed", bcs.bool()],
    ],
  ],
  [
    "anchor_receipt",
    [
      ["gate", OBJECT],
      ["cap", OBJECT],
      ["agent", text],
      ["blob_id", text],
      ["digest", bcs.byteVector()],
      ["claimed", bcs.vector(text)],
      ["issued", bcs.bool()],
      ["clock", OBJECT],
    ],
  ],
]);

function describeCalls({ commands, inputs }: ReadTransaction): DescribedTransaction["calls"] {
  return commands.flatMap(({ MoveCall }) => {
    if (MoveCall === undefined) return [];
    const named = MoveCall.arguments.map((argument, i) => {
      const [name, layout] = PARAMETERS.get(MoveCall.function)?.[i] ?? [String(i), OBJECT];
      return [name, describeArgument(argument, inputs, layout)] as const;
    });
    return [{ function: MoveCall.function, arguments: Object.fromEntries(named) }];
  });
}

type Argument = NonNullable<Command["MoveCall"]>["arguments"][number];

/** A value that cannot be read as what it should be is shown as the bytes that it is. */
function describeArgument(
  argument: Argument,
  inputs: ReadTransaction["inputs"],
  layout: { parse(bytes: Uint8Array): unknown } | undefined,
): unknown {
  const input = argument.$kind === "Input" ? inputs[argument.Input] : undefined;
  if (input?.Pure === undefined) {
    const object = input?.Object;
    return (object?.ImmOrOwnedObject ?? object?.SharedObject ?? object?.Receiving)?.objectId ?? null;
  }
  try {
    return readable(layout?.parse(fromBase64(input.Pure.bytes)));
  } catch {
    return { bytes: input.Pure.bytes };
  }
}

const readable = (value: unknown) => toJson(value, toHex);
