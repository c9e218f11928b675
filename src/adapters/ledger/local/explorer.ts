// The explorer: shows objects and transactions decoded for people, with their BCS beside, so that nobody has to trust
// the decoding.
import { extractStatusFromEffectsBcs } from "@mysten/sui/client";
import { isValidSuiAddress, normalizeSuiAddress } from "@mysten/sui/utils";
import { type Layout, PARAMETERS } from "#adapters/ledger/gate-module.ts";
import type { ExplorerEntry, ExplorerObject, ExplorerPage, ExplorerPageRequest, ExplorerTransaction } from "#ports.ts";
import type { Chain } from "./chain/chain.ts";
import { type Executed, effectsBcs, statusBcs } from "./chain/effects.ts";
import type { GateEvent } from "./chain/gate-rules.ts";
import { toJson } from "./chain/object-kinds.ts";
import { type Change, namedObject, objectBcs, type StoredObject } from "./chain/objects.ts";
import { type Argument, type ReadTransaction, readTransaction } from "./chain/transaction.ts";

export type Explorer = ReturnType<typeof createExplorer>;

/** Answers from the chain's current state. The caller has to call `catchUp` of the chain first. */
export function createExplorer({ state, history, find }: Chain) {
  return {
    readObject(objectId: string): ExplorerObject | undefined {
      const id = normalizeSuiAddress(objectId);
      const object = isValidSuiAddress(id) ? state.get(id) : undefined;
      return object && objectView(object);
    },

    readTransaction(digest: string): ExplorerTransaction | undefined {
      const executed = find(digest);
      return executed && transactionView(executed);
    },

    recentTransactions({ before, limit }: ExplorerPageRequest): ExplorerPage {
      const end = Math.min(before ?? history.length, history.length);
      const start = Math.max(end - limit, 0);
      const listed = history.slice(start, end).reverse();
      const transactions = listed.map(entryView);
      return { transactions, ...(start > 0 && { next: start }) };
    },
  };
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
      const [name, layout] = PARAMETERS.get(MoveCall.function)?.[i] ?? [String(i)];
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
