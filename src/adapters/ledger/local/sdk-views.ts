// Objects, transactions and events in the SDK's own types, with the same fields that the SDK returns over gRPC.
import type { SuiClientTypes } from "@mysten/sui/client";
import { extractStatusFromEffectsBcs, parseTransactionBcs, parseTransactionEffectsBcs } from "@mysten/sui/client";
import { MODULE, typeName } from "#adapters/ledger/gate-module.ts";
import { type Executed, effectsBcs, statusBcs } from "./chain/effects.ts";
import type { GateEvent } from "./chain/gate-rules.ts";
import { toJson } from "./chain/object-kinds.ts";
import { namedObject, objectBcs, type StoredObject } from "./chain/objects.ts";

type ObjectInclude = SuiClientTypes.ObjectInclude;
type TransactionInclude = SuiClientTypes.TransactionInclude;

export function objectView<Include extends ObjectInclude>(
  object: StoredObject,
  include: ObjectInclude = {},
): SuiClientTypes.Object<Include> {
  const { kind, content, previousTransaction } = object;
  return {
    ...namedObject(object),
    content: include.content ? content.slice() : undefined,
    previousTransaction: include.previousTransaction ? previousTransaction : undefined,
    objectBcs: include.objectBcs ? objectBcs(object) : undefined,
    json: include.json ? (toJson(kind.layout.parse(content)) as Record<string, unknown>) : undefined,
    display: include.display ? null : undefined,
  } as SuiClientTypes.Object<Include>;
}

export function fieldView({ objectId, kind, content }: StoredObject): SuiClientTypes.DynamicFieldEntry | undefined {
  if (kind.field === undefined) return undefined;
  const { nameType, valueType, name } = kind.field;
  const { name: key } = kind.layout.parse(content) as { name: never };
  const bcs = name.serialize(key).toBytes();
  return { $kind: "DynamicField", fieldId: objectId, type: kind.type, name: { type: nameType, bcs }, valueType };
}

export function transactionView<Include extends TransactionInclude>(
  executed: Executed,
  { include = {}, isCheckpointed }: { include?: TransactionInclude | undefined; isCheckpointed: boolean },
): SuiClientTypes.TransactionResult<Include> {
  const effects = include.effects ? parseTransactionEffectsBcs(effectsBcs(executed)) : undefined;
  const status = effects?.status ?? extractStatusFromEffectsBcs(statusBcs(executed));
  const transaction = {
    digest: executed.digest,
    signatures: [...executed.signatures],
    // A full node's answer has the epoch in the effects only.
    epoch: include.effects ? "0" : null,
    timestampMs: isCheckpointed ? executed.timestampMs : null,
    checkpoint: isCheckpointed ? String(executed.sequence) : null,
    status,
    balanceChanges: include.balanceChanges ? [] : undefined,
    effects,
    events: include.events ? executed.events.map((event) => eventView(event, executed)) : undefined,
    objectTypes: include.objectTypes ? objectTypes(executed) : undefined,
    transaction: include.transaction ? parseTransactionBcs(executed.bytes) : undefined,
    bcs: include.bcs ? executed.bytes.slice() : undefined,
  } as SuiClientTypes.Transaction<Include>;
  return status.success
    ? { $kind: "Transaction", Transaction: transaction }
    : { $kind: "FailedTransaction", FailedTransaction: transaction };
}

function eventView(event: GateEvent, { sender, packageId }: Executed): SuiClientTypes.Event {
  return {
    packageId,
    module: MODULE,
    sender,
    eventType: typeName(packageId, event.name),
    bcs: event.bcs.slice(),
    json: toJson(event.layout.parse(event.bcs)) as Record<string, unknown>,
  };
}

const objectTypes = ({ changes }: Executed): Record<string, string> =>
  Object.fromEntries(changes.map(({ after }) => [after.objectId, after.kind.type]));
