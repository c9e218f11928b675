// What a transaction changes: gates with their tables and receipts. It is kept apart from the state until all commands
// have succeeded.
import { bcs } from "@mysten/sui/bcs";
import { fromBase58 } from "@mysten/sui/utils";
import * as move from "#adapters/ledger/gate-module.ts";
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import { CallFailure } from "./failure.ts";
import { ClaimedField, emptyGate, fieldIdsOf, type Kind, type Kinds } from "./object-kinds.ts";
import * as stored from "./objects.ts";
import { SUI_LIMITS } from "./transaction.ts";

/** Every object that is written gets `version`, and `digest` as its previous transaction. */
export interface Write {
  readonly digest: string;
  readonly version: bigint;
}

export type PendingGate = ReturnType<typeof openGate>;

export interface PendingHistory {
  readonly changes: { readonly version: bigint; readonly allowed: boolean }[];
  readonly is_cut: boolean;
}

type Closing = (typeof move.ClosedField.$inferType)["value"];

/** The id that a receipt or a gate has or would have, and the id of the field that marks it as taken. */
interface DerivedIds {
  readonly objectId: string;
  readonly markerId: string;
}

type ReceiptFields = Omit<typeof move.Receipt.$inferInput, "id" | "gate">;

export type PendingGates = ReturnType<typeof createPendingGates>;

export function createPendingGates(state: stored.State, write: Write, kinds: Kinds) {
  const objects = createPendingObjects(state, write);
  const gates = new Map<string, PendingGate>();
  const newId = stored.idGenerator(fromBase58(write.digest));
  /** By gate, agent and namespace, because the anchors of one transaction ask for the same few pairs. */
  const entries = new Map<string, { readonly id: string; history: PendingHistory | undefined }>();

  function entryOf({ accessId, idOf }: PendingGate, agent: string, namespace: string) {
    const name = JSON.stringify([accessId, agent, namespace]);
    return getOrInsert(entries, name, () => {
      const id = idOf.access(move.AccessKey.serialize({ agent, namespace }).toBytes());
      return { id, history: historyIn(objects.field(id)) };
    });
  }

  const closedFieldId = ({ idOf }: PendingGate, version: bigint): string =>
    idOf.closed(bcs.u64().serialize(version).toBytes());

  function closing(gate: PendingGate, version: bigint): Closing | undefined {
    const known = gate.closings.get(version);
    if (known !== undefined) return known;
    const field = objects.field(closedFieldId(gate, version));
    if (field !== undefined) gate.closings.set(version, move.ClosedField.parse(field.content).value);
    return gate.closings.get(version);
  }

  function setClosing(gate: PendingGate, version: bigint, value: Closing): void {
    gate.closings.set(version, value);
    const id = closedFieldId(gate, version);
    const content = move.ClosedField.serialize({ id, name: version, value }).toBytes();
    objects.write(id, kinds.closed, gate.ownerOf.closed, content);
  }

  const logFieldId = ({ idOf }: PendingGate, origin: string): string =>
    idOf.log(move.LogKey.serialize({ origin }).toBytes());

  const derivedIds = ({ idOf }: PendingGate, objectId: string): DerivedIds => ({
    objectId,
    markerId: idOf.marker(Buffer.from(objectId.slice(2), "hex")),
  });

  function take(gate: PendingGate, { objectId, markerId }: DerivedIds): void {
    const marker = ClaimedField.serialize({ id: markerId, name: { pos0: objectId }, value: { Reserved: true } });
    objects.write(markerId, kinds.claimed, gate.ownerOf.marker, marker.toBytes());
  }

  return {
    gate: (object: stored.StoredObject): PendingGate =>
      getOrInsert(gates, object.objectId, () => openGate(object, kinds)),

    history: (gate: PendingGate, agent: string, namespace: string): PendingHistory | undefined =>
      entryOf(gate, agent, namespace).history,

    setHistory(gate: PendingGate, agent: string, namespace: string, history: PendingHistory): void {
      const entry = entryOf(gate, agent, namespace);
      if (entry.history === undefined) gate.accessSize += 1n;
      entry.history = history;
      const content = move.AccessField.serialize({
        id: entry.id,
        name: { agent, namespace },
        value: history,
      }).toBytes();
      objects.write(entry.id, kinds.access, gate.ownerOf.access, content);
    },

    closing,

    close(gate: PendingGate, version: bigint, atMs: number): void {
      const closed_at_ms = String(atMs);
      const last = closing(gate, gate.version);
      if (last !== undefined) setClosing(gate, gate.version, { ...last, superseded_at_ms: closed_at_ms });
      objects.field(closedFieldId(gate, version));
      setClosing(gate, version, { closed_at_ms, superseded_at_ms: null });
      gate.closedSize += 1n;
      gate.version = version;
    },

    rootOf({ id, idOf }: PendingGate): string {
      const field = objects.field(idOf.root);
      return field === undefined ? id : move.RootField.parse(field.content).value;
    },

    gateIds: (root: PendingGate, key: Uint8Array): DerivedIds =>
      derivedIds(root, root.idOf.gate(move.GateKey.serialize({ key }).toBytes())),

    receiptIds: (gate: PendingGate, key: typeof move.ReceiptKey.$inferInput): DerivedIds =>
      derivedIds(gate, gate.idOf.receipt(move.ReceiptKey.serialize(key).toBytes())),

    isTaken: ({ markerId }: DerivedIds) => objects.field(markerId) !== undefined,

    /** Marks the id as taken, and creates the empty gate with its two dynamic fields: version 0, and the root. */
    make(root: PendingGate, ids: DerivedIds): void {
      take(root, ids);
      const id = ids.objectId;
      const { gate: content } = emptyGate(id, newId, root.pseudonyms);
      const gate = openGate({ objectId: id, content }, kinds);
      setClosing(gate, 0n, { closed_at_ms: "0", superseded_at_ms: null });
      const rootField = move.RootField.serialize({ id: gate.idOf.root, name: { dummy_field: false }, value: root.id });
      objects.write(gate.idOf.root, kinds.root, gate.ownerOf.marker, rootField.toBytes());
      objects.write(id, kinds.gate, stored.shared(write.version), content);
    },

    mint(gate: PendingGate, ids: DerivedIds, fields: ReceiptFields): void {
      take(gate, ids);
      const receipt = move.Receipt.serialize({ id: ids.objectId, gate: gate.id, ...fields });
      objects.write(ids.objectId, kinds.receipt, stored.IMMUTABLE, receipt.toBytes());
    },

    anchoredSize(gate: PendingGate, origin: string): bigint {
      const field = objects.field(logFieldId(gate, origin));
      return field === undefined ? 0n : BigInt(move.LogField.parse(field.content).value.size);
    },

    /** Answers with its id. */
    mintCheckpoint(gate: PendingGate, fields: Omit<typeof move.Checkpoint.$inferInput, "id">): string {
      const id = newId();
      objects.write(id, kinds.checkpoint, stored.IMMUTABLE, move.Checkpoint.serialize({ id, ...fields }).toBytes());
      const fieldId = logFieldId(gate, fields.origin);
      const value = { size: fields.size, checkpoint: id };
      const field = move.LogField.serialize({ id: fieldId, name: { origin: fields.origin }, value });
      objects.write(fieldId, kinds.log, gate.ownerOf.marker, field.toBytes());
      return id;
    },

    changes: objects.changes,

    contentOf({ objectId, content }: stored.StoredObject): Uint8Array<ArrayBuffer> {
      const gate = gates.get(objectId);
      if (gate === undefined) return content;
      const { id, version, keys, pseudonyms } = gate;
      const access = { id: gate.accessId, size: gate.accessSize };
      const closed = { id: gate.closedId, size: gate.closedSize };
      return move.Gate.serialize({ id, access, version, closed, keys, pseudonyms }).toBytes();
    },
  };
}

const ROOT_KEY = move.RootKey.serialize({ dummy_field: false }).toBytes();

function historyIn(field: stored.StoredObject | undefined): PendingHistory | undefined {
  if (field === undefined) return undefined;
  const { changes, is_cut } = move.AccessField.parse(field.content).value;
  return { changes: changes.map(({ version, allowed }) => ({ version: BigInt(version), allowed })), is_cut };
}

function openGate({ objectId: id, content }: Pick<stored.StoredObject, "objectId" | "content">, kinds: Kinds) {
  const { access, version, closed, keys, pseudonyms } = move.Gate.parse(content);
  return {
    id,
    accessId: access.id,
    accessSize: BigInt(access.size),
    version: BigInt(version),
    closedId: closed.id,
    closedSize: BigInt(closed.size),
    /** A cache: the anchors of one transaction ask for the same few versions. */
    closings: new Map<bigint, Closing>(),
    keys,
    pseudonyms,
    ownerOf: { access: stored.childOf(access.id), closed: stored.childOf(closed.id), marker: stored.childOf(id) },
    idOf: {
      access: fieldIdsOf(access.id, kinds.access.nameTag),
      closed: fieldIdsOf(closed.id, kinds.closed.nameTag),
      receipt: fieldIdsOf(id, kinds.receiptKey),
      gate: fieldIdsOf(id, kinds.gateKey),
      root: fieldIdsOf(id, kinds.root.nameTag)(ROOT_KEY),
      log: fieldIdsOf(id, kinds.log.nameTag),
      marker: fieldIdsOf(id, kinds.claimed.nameTag),
    },
  };
}

function createPendingObjects(state: stored.State, { digest, version }: Write) {
  const written = new Map<string, stored.StoredObject>();
  const readFields = new Set<string>();

  return {
    write(objectId: string, kind: Kind, owner: stored.Owner, content: Uint8Array<ArrayBuffer>): void {
      written.set(objectId, { objectId, kind, version, owner, content, previousTransaction: digest });
    },

    /** A dynamic field. Sui caches each one that a transaction reads, also an absent one, and limits their number. */
    field(objectId: string): stored.StoredObject | undefined {
      if (!readFields.has(objectId) && readFields.size >= SUI_LIMITS.object_runtime_max_num_cached_objects) {
        throw new CallFailure("TooManyFields");
      }
      readFields.add(objectId);
      return written.get(objectId) ?? state.get(objectId);
    },

    /** A field that was changed, and then again to what it was, has not changed. */
    changes(): stored.Change[] {
      return [...written.values()].flatMap((after) => {
        const before = state.get(after.objectId);
        if (before === undefined) return [{ after }];
        return Buffer.compare(before.content, after.content) === 0 ? [] : [{ before, after }];
      });
    },
  };
}
