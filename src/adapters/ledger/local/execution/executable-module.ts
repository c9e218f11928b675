// What the local ledger needs of a Move module to execute transactions that call it.
import type { Layout, Parameters } from "#adapters/ledger/gate-module.ts";
import type { Kind } from "#adapters/ledger/local/chain/object-kinds.ts";
import type { StoredObject } from "#adapters/ledger/local/chain/objects.ts";
import type { Change, State } from "#adapters/ledger/local/chain/state.ts";
import type { BcsReader } from "#core/encoding/bcs.ts";

export interface ExecutableModule {
  readonly parameters: Parameters;
  /** On Sui they can be called. They change nothing, so the local ledger does not support them. */
  readonly views: ReadonlySet<string>;
  begin(context: ModuleContext): ModuleSession;
}

export interface ModuleContext {
  readonly state: State;
  readonly write: Write;
  readonly timestampMs: number;
}

/** Every object that is written gets `version`, and `digest` as its previous transaction. */
export interface Write {
  readonly digest: string;
  readonly version: bigint;
}

/** The calls of one transaction. Nothing of them is in the state until the whole transaction has succeeded. */
export interface ModuleSession {
  /** Reads the arguments of a call of `name`, and returns what runs it. */
  read(name: string, args: CallArguments): RunCall;
  /** The content of an input object after the calls. */
  contentOf(object: StoredObject): Uint8Array<ArrayBuffer>;
  changes(): Change[];
}

/** Returns the event that the call emits, if any. Throws a CallFailure when it aborts. */
export type RunCall = () => GateEvent | undefined;

export interface CallArguments {
  object(index: number, kind: Kind, isMutable?: boolean): StoredObject;
  pure<T>(index: number, read: (reader: BcsReader) => T): T;
}

/** An event. `name` is the name of its Move struct. */
export interface GateEvent {
  readonly name: string;
  readonly layout: Layout;
  readonly bcs: Uint8Array<ArrayBuffer>;
}

/** Serializes the fields of an event. */
export function gateEvent<Input>(
  layout: Layout & { readonly name: string; serialize(fields: Input): { toBytes(): Uint8Array<ArrayBuffer> } },
  fields: Input,
): GateEvent {
  return { name: layout.name, layout, bcs: layout.serialize(fields).toBytes() };
}
