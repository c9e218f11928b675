// The explorer: shows objects and transactions decoded for people, with their BCS beside, so that nobody has to trust
// the decoding. A tenant sees what belongs to its gate, and of other gates what everybody may read: what a proof needs.
import { extractStatusFromEffectsBcs } from "@mysten/sui/client";
import { isValidSuiAddress, normalizeSuiAddress } from "@mysten/sui/utils";
import { Gate, isPure, type Layout, PARAMETERS, PURE } from "#adapters/ledger/gate-module.ts";
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import { isPublicObject } from "#core/ledger/public-part.ts";
import type { ExplorerEntry, ExplorerObject, ExplorerPage, ExplorerTransaction, PageOf } from "#ports.ts";
import type { Chain } from "./chain/chain.ts";
import { type Executed, effectsBcs, statusBcs } from "./chain/effects.ts";
import type { GateEvent } from "./chain/gate-rules.ts";
import { toJson } from "./chain/object-kinds.ts";
import { type Change, namedObject, objectBcs, type StoredObject } from "./chain/objects.ts";
import { type Argument, type ReadTransaction, readTransaction } from "./chain/transaction.ts";

/** Answers from the chain's current state. The caller has to call `catchUp` of the chain first. */
export function createExplorers({ state, history, find }: Chain, rootId: string, gateType: string) {
  /** The sequences of the transactions of each gate. The genesis is the root's. */
  const sequences = new Map<string, number[]>();
  let indexed = 0;

  /** A transaction calls one gate. The one that makes a gate belongs to that. */
  function gateOf({ changes }: Executed): string {
    const gates = changes.filter(({ after }) => after.kind.type === gateType);
    return (gates.find(({ before }) => before === undefined) ?? gates[0])?.after.objectId ?? rootId;
  }

  function sequencesOf(gateId: string): readonly number[] {
    for (; indexed < history.length; indexed += 1) {
      const gate = indexed === 0 ? rootId : gateOf(history[indexed] as Executed);
      getOrInsert(sequences, gate, () => []).push(indexed);
    }
    return sequences.get(gateId) ?? [];
  }

  /** Fields belong to a gate or to one of its tables. What has no such owner is the root's. */
  function isOwn({ owner }: StoredObject, gateId: string): boolean {
    if (owner.ObjectOwner === undefined) return gateId === rootId;
    const gate = state.get(gateId);
    if (gate === undefined) return false;
    const { access, closed } = Gate.parse(gate.content);
    return [gateId, access.id, closed.id].includes(owner.ObjectOwner);
  }

  return (gateId: string) => ({
    readObject(objectId: string): ExplorerObject | undefined {
      const id = normalizeSuiAddress(objectId);
      const object = isValidSuiAddress(id) ? state.get(id) : undefined;
      const isShown = object !== undefined && (isPublicObject(object.kind) || isOwn(object, gateId));
      return isShown ? objectView(object) : undefined;
    },

    readTransaction(digest: string): ExplorerTransaction | undefined {
      const executed = find(digest);
      if (executed === undefined) return undefined;
      const isOurs = executed.sequence === 0 ? gateId === rootId : gateOf(executed) === gateId;
      // A transaction names the one before it, which may be another tenant's.
      return isOurs ? transactionView(executed) : undefined;
    },

    recentTransactions({ before = history.length, limit }: PageOf<number>): ExplorerPage {
      const own = sequencesOf(gateId);
      const after = own.findLastIndex((sequence) => sequence < before) + 1;
      const start = Math.max(after - limit, 0);
      const listed = own.slice(start, after).reverse();
      const transactions = listed.map((sequence) => entryView(history[sequence] as Executed));
      return { transactions, ...(start > 0 && { next: own[start] as number }) };
    },
  });
}

function objectView(object: StoredObject): ExplorerObject {
  const { kind, content, previousTransaction } = object;
  return {
    ...namedObject(object),
    previousTransaction,
    fields: readable(kind.layout.parse(content)),
    content: base64Of(content),
    bcs: base64Of(objectBcs(object)),
  };
}

function entryView(executed: Executed): ExplorerEntry {
  const { sequence, digest, sender, timestampMs, functions } = executed;
  const counts: Record<string, number> = Object.create(null);
  for (const name of functions) counts[name] = (counts[name] ?? 0) + 1;
  const status = extractStatusFromEffectsBcs(statusBcs(executed));
  return { sequence, digest, sender, timestampMs, status, functions: counts };
}

function transactionView(executed: Executed): ExplorerTransaction {
  const { sequence, bytes, signatures, events, changes } = executed;
  return {
    ...entryView(executed),
    calls: sequence === 0 ? [] : callViews(readTransaction(bytes)),
    events: events.map(eventView),
    changedObjects: changes.map(changeView),
    signatures: [...signatures],
    bcs: base64Of(bytes),
    effects: base64Of(effectsBcs(executed)),
  };
}

function eventView(event: GateEvent) {
  return { name: event.name, fields: readable(event.layout.parse(event.bcs)), bcs: base64Of(event.bcs) };
}

function changeView({ before, after }: Change): ExplorerTransaction["changedObjects"][number] {
  const { objectId, kind, version } = after;
  const change = before === undefined ? "created" : "changed";
  return { objectId, type: kind.type, change, version: String(version) };
}

function callViews({ commands, inputs }: ReadTransaction): ExplorerTransaction["calls"] {
  return commands.flatMap(({ MoveCall }) => {
    if (MoveCall === undefined) return [];
    const named = MoveCall.arguments.map((argument, i) => {
      const [name, type] = PARAMETERS.get(MoveCall.function)?.[i] ?? [String(i)];
      const layout = type !== undefined && isPure(type) ? PURE[type] : undefined;
      return [name, argumentView(argument, inputs, layout)] as const;
    });
    return [{ function: MoveCall.function, arguments: Object.fromEntries(named) }];
  });
}

/** A pure value that does not have its layout is shown as bytes. */
function argumentView(argument: Argument, inputs: ReadTransaction["inputs"], layout: Layout | undefined): unknown {
  const input = argument.$kind === "Input" ? inputs[argument.Input] : undefined;
  if (input?.Pure === undefined) {
    const object = input?.Object;
    return (object?.ImmOrOwnedObject ?? object?.SharedObject ?? object?.Receiving)?.objectId ?? null;
  }
  try {
    return readable(layout?.parse(Buffer.from(input.Pure.bytes, "base64")));
  } catch {
    return { bytes: input.Pure.bytes };
  }
}

// A transaction of a thousand calls has thousands of values, and Node's encodings take a tenth of the time of the SDK's.
const base64Of = (bytes: Uint8Array): string => bufferOf(bytes).toString("base64");
const readable = (value: unknown) => toJson(value, (bytes) => bufferOf(bytes).toString("hex"));
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength);
