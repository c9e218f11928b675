// Converts the SDK's types to the messages of sui.rpc.v2 from which the SDK reads them.
import type { SuiClientTypes } from "@mysten/sui/client";
import { GrpcTypes } from "@mysten/sui/grpc";
import { executionStatus } from "./execution-status.ts";
import { transactionData } from "./transaction-data.ts";

type AnyInclude = { readonly [Name in keyof Required<SuiClientTypes.ObjectInclude>]: true };
type AnyTransaction = SuiClientTypes.Transaction<{ [Name in keyof Required<SuiClientTypes.TransactionInclude>]: true }>;

const bytes = (base64: string) => Uint8Array.from(Buffer.from(base64, "base64"));
const bcs = (value: Uint8Array | undefined | null) => value && { value: Uint8Array.from(value) };
const bigint = (text: string | undefined | null) => (text == null ? undefined : BigInt(text));

/** A field that was not requested is undefined in the view, although its type does not say so. */
export function objectMessage(view: SuiClientTypes.Object): GrpcTypes.Object {
  const object = view as unknown as Partial<SuiClientTypes.Object<AnyInclude>>;
  return GrpcTypes.Object.create(
    present({
      objectId: object.objectId,
      version: bigint(object.version),
      digest: object.digest,
      owner: ownerMessage(object.owner),
      objectType: object.type,
      contents: bcs(object.content),
      previousTransaction: object.previousTransaction,
      bcs: bcs(object.objectBcs),
      json: json(GrpcTypes.Object, object.json),
    }),
  );
}

export function fieldMessage(field: SuiClientTypes.DynamicFieldEntry): GrpcTypes.DynamicField {
  return GrpcTypes.DynamicField.create({
    kind: GrpcTypes.DynamicField_DynamicFieldKind.FIELD,
    fieldId: field.fieldId,
    name: { name: field.name.type, value: Uint8Array.from(field.name.bcs) },
    valueType: field.valueType,
  });
}

export function transactionMessage(result: SuiClientTypes.TransactionResult): GrpcTypes.ExecutedTransaction {
  const view = (result.Transaction ?? result.FailedTransaction) as unknown as AnyTransaction;
  const timestamp = view.timestampMs == null ? undefined : timestampMessage(view.timestampMs);
  return GrpcTypes.ExecutedTransaction.create(
    present({
      digest: view.digest,
      transaction: GrpcTypes.Transaction.create(
        present({
          digest: view.digest,
          bcs: bcs(view.bcs),
          ...(view.transaction && transactionData(view.transaction)),
        }),
      ),
      signatures: view.signatures.map((signature) => ({ bcs: { value: bytes(signature) } })),
      effects: effectsMessage(view),
      events: view.events && { events: view.events.map(eventMessage) },
      timestamp,
      checkpoint: bigint(view.checkpoint),
    }),
  );
}

function timestampMessage(ms: number) {
  return { seconds: BigInt(Math.floor(ms / 1000)), nanos: (ms % 1000) * 1_000_000 };
}

function eventMessage(event: SuiClientTypes.Event) {
  const { packageId, module, sender, eventType } = event;
  return present({
    packageId,
    module,
    sender,
    eventType,
    contents: bcs(event.bcs),
    json: json(GrpcTypes.Event, event.json),
  });
}

function effectsMessage({ status, effects, epoch, objectTypes }: AnyTransaction) {
  const types = Object.entries(objectTypes ?? {});
  const common = { status: executionStatus(status) };
  if (!effects) return { ...common, changedObjects: types.map(([objectId, objectType]) => ({ objectId, objectType })) };
  return present({
    ...common,
    bcs: bcs(effects.bcs),
    version: effects.version,
    epoch: bigint(epoch),
    gasUsed: Object.fromEntries(Object.entries(effects.gasUsed).map(([name, cost]) => [name, BigInt(cost)])),
    transactionDigest: effects.transactionDigest,
    eventsDigest: effects.eventsDigest,
    dependencies: effects.dependencies,
    lamportVersion: bigint(effects.lamportVersion),
    changedObjects: effects.changedObjects.map((change) => changeMessage(change, objectTypes)),
    gasObject: effects.gasObject && changeMessage(effects.gasObject, objectTypes),
    unchangedConsensusObjects: effects.unchangedConsensusObjects.map(({ objectId, version, digest }) =>
      present({
        kind: GrpcTypes.UnchangedConsensusObject_UnchangedConsensusObjectKind.READ_ONLY_ROOT,
        objectId,
        version: bigint(version),
        digest,
      }),
    ),
  });
}

const {
  ChangedObject_InputObjectState: In,
  ChangedObject_OutputObjectState: Out,
  ChangedObject_IdOperation: Id,
} = GrpcTypes;

const OUTPUT_STATES: Readonly<Record<string, number>> = {
  ObjectWrite: Out.OBJECT_WRITE,
  PackageWrite: Out.PACKAGE_WRITE,
};

function changeMessage(change: SuiClientTypes.ChangedObject, objectTypes: Record<string, string> | undefined) {
  return present({
    objectId: change.objectId,
    inputState: change.inputState === "Exists" ? In.EXISTS : In.DOES_NOT_EXIST,
    inputVersion: bigint(change.inputVersion),
    inputDigest: change.inputDigest,
    inputOwner: ownerMessage(change.inputOwner),
    outputState: OUTPUT_STATES[change.outputState] ?? Out.DOES_NOT_EXIST,
    outputVersion: bigint(change.outputVersion),
    outputDigest: change.outputDigest,
    outputOwner: ownerMessage(change.outputOwner),
    idOperation: { Created: Id.CREATED, Deleted: Id.DELETED, None: Id.NONE, Unknown: Id.NONE }[change.idOperation],
    objectType: objectTypes?.[change.objectId],
  });
}

function ownerMessage(owner: SuiClientTypes.ObjectOwner | null | undefined) {
  const { Owner_OwnerKind: Kind } = GrpcTypes;
  switch (owner?.$kind) {
    case "AddressOwner":
      return { kind: Kind.ADDRESS, address: owner.AddressOwner };
    case "ObjectOwner":
      return { kind: Kind.OBJECT, address: owner.ObjectOwner };
    case "Shared":
      return { kind: Kind.SHARED, version: BigInt(owner.Shared.initialSharedVersion) };
    case "Immutable":
      return { kind: Kind.IMMUTABLE };
    default:
      return undefined;
  }
}

interface WithFields {
  readonly fields: readonly { readonly name: string; readonly T?: unknown }[];
}

/** The SDK does not export google.protobuf.Value, so it is taken from a message that has such a field. */
function json(type: WithFields, value: unknown) {
  if (value == null) return undefined;
  const field = type.fields.find(({ name }) => name === "json") as unknown as { T(): typeof GrpcTypes.Object };
  return field.T().fromJson(value as never) as never;
}

/** Removes absent fields, because the encoder would take `undefined` and `null` for values. */
export function present<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], null | undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as never;
}
