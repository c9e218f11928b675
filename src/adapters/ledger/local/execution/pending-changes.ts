// The changes of a transaction, kept apart from the state until all of its commands have succeeded.
import { AccessKey, Gate, Receipt, ReceiptKey } from "#adapters/ledger/gate-module.ts";
import { fieldIdsOf, idBytes } from "#adapters/ledger/local/chain/derived-ids.ts";
import { AccessField, ClaimedField, type Kind, type Kinds } from "#adapters/ledger/local/chain/object-kinds.ts";
import { childOf, IMMUTABLE, type Owner, type StoredObject } from "#adapters/ledger/local/chain/objects.ts";
import type { Change, State } from "#adapters/ledger/local/chain/state.ts";
import { CallFailure } from "./failure.ts";
import { SUI_LIMITS } from "./transaction.ts";

/** A gate with the changes that the transaction has made so far. */
export type PendingGate = ReturnType<typeof openGate>;

/** The id that a receipt has or would have, and the id of the field that marks it as taken. */
interface ReceiptIds {
  readonly receiptId: string;
  readonly markerId: string;
}

type ReceiptFields = Omit<typeof Receipt.$inferInput, "id" | "gate">;

export type PendingChanges = ReturnType<typeof createPendingChanges>;

/** Every object that is written gets `version`, and `digest` as its previous transaction. */
export interface Write {
  readonly digest: string;
  readonly version: bigint;
}

export function createPendingChanges(state: State, kinds: Kinds, { digest, version }: Write) {
  const written = new Map<string, StoredObject | undefined>();
  const gates = new Map<string, PendingGate>();
  const readFields = new Set<string>();
  const accessIds = new Map<string, string>();

  function write(objectId: string, kind: Kind, owner: Owner, content: Uint8Array<ArrayBuffer>): void {
    written.set(objectId, { objectId, kind, version, owner, content, previousTransaction: digest });
  }

  /** Sui caches each field that a transaction reads, also an absent one, and limits their number. */
  function hasField(objectId: string): boolean {
    if (!readFields.has(objectId) && readFields.size >= SUI_LIMITS.object_runtime_max_num_cached_objects) {
      throw new CallFailure("TooManyFields");
    }
    readFields.add(objectId);
    return written.has(objectId) ? written.get(objectId) !== undefined : state.get(objectId) !== undefined;
  }

  /** Cached, because the anchors of one transaction ask for the same few pairs. */
  function accessFieldId({ accessId, idOf }: PendingGate, agent: string, namespace: string): string {
    const name = JSON.stringify([accessId, agent, namespace]);
    const id = accessIds.get(name) ?? idOf.access(AccessKey.serialize({ agent, namespace }).toBytes());
    accessIds.set(name, id);
    return id;
  }

  return {
    gate(object: StoredObject): PendingGate {
      const found = gates.get(object.objectId) ?? openGate(object, kinds);
      gates.set(object.objectId, found);
      return found;
    },

    isAllowed: (gate: PendingGate, agent: string, namespace: string) => hasField(accessFieldId(gate, agent, namespace)),

    setAllowed(gate: PendingGate, agent: string, namespace: string, allowed: boolean): void {
      const id = accessFieldId(gate, agent, namespace);
      if (allowed) {
        const content = AccessField.serialize({ id, name: { agent, namespace }, value: true }).toBytes();
        write(id, kinds.access, gate.ownerOf.access, content);
      } else {
        written.set(id, undefined);
      }
      gate.size += allowed ? 1n : -1n;
    },

    receiptIds({ idOf, version }: PendingGate, digest: Uint8Array, claimed: readonly string[]): ReceiptIds {
      const key = ReceiptKey.serialize({ digest, claimed, policy_version: version }).toBytes();
      const receiptId = idOf.receipt(key);
      return { receiptId, markerId: idOf.marker(idBytes(receiptId)) };
    },

    isTaken: ({ markerId }: ReceiptIds) => hasField(markerId),

    /** Marks the id as taken, and creates the frozen receipt. */
    mint(gate: PendingGate, { receiptId, markerId }: ReceiptIds, fields: ReceiptFields): void {
      const marker = ClaimedField.serialize({ id: markerId, name: { pos0: receiptId }, value: { Reserved: true } });
      write(markerId, kinds.claimed, gate.ownerOf.marker, marker.toBytes());
      const receipt = Receipt.serialize({ id: receiptId, gate: gate.id, ...fields });
      write(receiptId, kinds.receipt, IMMUTABLE, receipt.toBytes());
    },

    /** The content of an input object after the transaction. */
    contentOf({ objectId, content }: StoredObject): Uint8Array<ArrayBuffer> {
      const gate = gates.get(objectId);
      if (gate === undefined) return content;
      const { id, accessId, size, version } = gate;
      return Gate.serialize({ id, access: { id: accessId, size }, version }).toBytes();
    },

    /** A field that was removed and added again with the same content has not changed. */
    changes(): Change[] {
      return [...written].flatMap(([objectId, after]) => {
        const before = state.get(objectId);
        const isSame = before && after ? Buffer.compare(before.content, after.content) === 0 : before === after;
        return isSame ? [] : [{ objectId, ...(before && { before }), ...(after && { after }) }];
      });
    },
  };
}

function openGate({ objectId: id, content }: StoredObject, kinds: Kinds) {
  const { access, version } = Gate.parse(content);
  return {
    id,
    accessId: access.id,
    size: BigInt(access.size),
    version: BigInt(version),
    /** The owners of the table's dynamic fields and of the gate's own. */
    ownerOf: { access: childOf(access.id), marker: childOf(id) },
    /** Derives the id of a field or a receipt from the BCS of its key. */
    idOf: {
      access: fieldIdsOf(access.id, kinds.access.nameTag),
      receipt: fieldIdsOf(id, kinds.receiptKey),
      marker: fieldIdsOf(id, kinds.claimed.nameTag),
    },
  };
}
