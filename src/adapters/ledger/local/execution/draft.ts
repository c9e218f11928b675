// What a transaction would change, kept apart until all of its commands have succeeded.
import { AccessKey, Gate, Receipt, ReceiptKey } from "#adapters/ledger/gate-module.ts";
import { fieldIdsOf, idBytes } from "#adapters/ledger/local/chain/derive.ts";
import { AccessField, ClaimedField, type Kind, type Kinds } from "#adapters/ledger/local/chain/kinds.ts";
import { childOf, IMMUTABLE, type Owner, type StoredObject } from "#adapters/ledger/local/chain/objects.ts";
import type { Change, State } from "#adapters/ledger/local/chain/state.ts";
import { TooManyFields } from "./failure.ts";
import { SUI_LIMITS } from "./transaction.ts";

/** A gate while a transaction works on it. */
export interface GateDraft {
  readonly id: string;
  readonly accessId: string;
  size: bigint;
  version: bigint;
  /** The owners of the dynamic fields of the table and of the gate itself. */
  readonly ownerOf: { readonly access: Owner; readonly mark: Owner };
  /** The id under which a field or a receipt is kept, by the BCS of its key. */
  readonly idOf: Readonly<Record<"access" | "receipt" | "mark", (key: Uint8Array) => string>>;
}

/** Where a receipt is or would be, and the field by which the gate remembers that the place is taken. */
export interface Place {
  readonly receiptId: string;
  readonly markId: string;
}

export interface ReceiptFields extends Omit<typeof Receipt.$inferInput, "id" | "gate" | "claimed"> {
  readonly claimed: readonly string[];
}

export type Draft = ReturnType<typeof createDraft>;

/** Everything that is written gets the `version`, and `digest` as the transaction that wrote it. */
export function createDraft(state: State, kinds: Kinds, { digest, version }: { digest: string; version: bigint }) {
  const written = new Map<string, StoredObject | undefined>();
  const gates = new Map<string, GateDraft>();
  const touched = new Set<string>();
  const accessIds = new Map<string, string>();

  function write(objectId: string, kind: Kind, owner: Owner, content: Uint8Array<ArrayBuffer>): void {
    written.set(objectId, { objectId, kind, version, owner, content, previousTransaction: digest });
  }

  /** Sui loads a field, or that there is none, once in a transaction, and only so many of them. */
  function hasField(objectId: string): boolean {
    if (!touched.has(objectId) && touched.size >= SUI_LIMITS.object_runtime_max_num_cached_objects) {
      throw new TooManyFields();
    }
    touched.add(objectId);
    return written.has(objectId) ? written.get(objectId) !== undefined : state.get(objectId) !== undefined;
  }

  /** The anchors of one transaction ask for the same few pairs. */
  function accessFieldId({ accessId, idOf }: GateDraft, agent: string, namespace: string): string {
    const name = JSON.stringify([accessId, agent, namespace]);
    const id = accessIds.get(name) ?? idOf.access(AccessKey.serialize({ agent, namespace }).toBytes());
    accessIds.set(name, id);
    return id;
  }

  return {
    gate(object: StoredObject): GateDraft {
      const found = gates.get(object.objectId) ?? openGate(object, kinds);
      gates.set(object.objectId, found);
      return found;
    },

    isAllowed: (gate: GateDraft, agent: string, namespace: string) => hasField(accessFieldId(gate, agent, namespace)),

    setAllowed(gate: GateDraft, agent: string, namespace: string, allowed: boolean): void {
      const id = accessFieldId(gate, agent, namespace);
      if (allowed) {
        const content = AccessField.serialize({ id, name: { agent, namespace }, value: true }).toBytes();
        write(id, kinds.access, gate.ownerOf.access, content);
      } else {
        written.set(id, undefined);
      }
      gate.size += allowed ? 1n : -1n;
    },

    placeOf({ idOf, version }: GateDraft, digest: Uint8Array, claimed: readonly string[]): Place {
      const key = ReceiptKey.serialize({ digest, claimed: [...claimed], policy_version: version }).toBytes();
      const receiptId = idOf.receipt(key);
      return { receiptId, markId: idOf.mark(idBytes(receiptId)) };
    },

    isTaken: ({ markId }: Place) => hasField(markId),

    /** Takes the place, and freezes a receipt there. */
    mint(gate: GateDraft, { receiptId, markId }: Place, { claimed, ...fields }: ReceiptFields): void {
      const mark = ClaimedField.serialize({ id: markId, name: { pos0: receiptId }, value: { Reserved: true } });
      write(markId, kinds.claimed, gate.ownerOf.mark, mark.toBytes());
      const receipt = Receipt.serialize({ id: receiptId, gate: gate.id, claimed: [...claimed], ...fields });
      write(receiptId, kinds.receipt, IMMUTABLE, receipt.toBytes());
    },

    /** The content that the object has when the transaction is over. */
    contentOf({ objectId, content }: StoredObject): Uint8Array<ArrayBuffer> {
      const gate = gates.get(objectId);
      if (gate === undefined) return content;
      const { id, accessId, size, version } = gate;
      return Gate.serialize({ id, access: { id: accessId, size }, version }).toBytes();
    },

    /** What was taken out and put back as it was has not changed. */
    changes(): Change[] {
      return [...written].flatMap(([objectId, after]) => {
        const before = state.get(objectId);
        const isSame = before && after ? Buffer.compare(before.content, after.content) === 0 : before === after;
        return isSame ? [] : [{ objectId, ...(before && { before }), ...(after && { after }) }];
      });
    },
  };
}

function openGate({ objectId: id, content }: StoredObject, kinds: Kinds): GateDraft {
  const { access, version } = Gate.parse(content);
  return {
    id,
    accessId: access.id,
    size: BigInt(access.size),
    version: BigInt(version),
    ownerOf: { access: childOf(access.id), mark: childOf(id) },
    idOf: {
      access: fieldIdsOf(access.id, kinds.access.nameTag),
      receipt: fieldIdsOf(id, kinds.receiptKey),
      mark: fieldIdsOf(id, kinds.claimed.nameTag),
    },
  };
}
