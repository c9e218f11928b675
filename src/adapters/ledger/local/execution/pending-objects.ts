// The objects that a transaction writes, kept apart from the state until all of its commands have succeeded.
import type { Kind } from "#adapters/ledger/local/chain/object-kinds.ts";
import type { Owner, StoredObject } from "#adapters/ledger/local/chain/objects.ts";
import type { Change, State } from "#adapters/ledger/local/chain/state.ts";
import type { Write } from "./executable-module.ts";
import { CallFailure } from "./failure.ts";
import { SUI_LIMITS } from "./transaction.ts";

export type PendingObjects = ReturnType<typeof createPendingObjects>;

export function createPendingObjects(state: State, { digest, version }: Write) {
  const written = new Map<string, StoredObject | undefined>();
  const readFields = new Set<string>();

  return {
    write(objectId: string, kind: Kind, owner: Owner, content: Uint8Array<ArrayBuffer>): void {
      written.set(objectId, { objectId, kind, version, owner, content, previousTransaction: digest });
    },

    remove(objectId: string): void {
      written.set(objectId, undefined);
    },

    /** A dynamic field. Sui caches each one that a transaction reads, also an absent one, and limits their number. */
    field(objectId: string): StoredObject | undefined {
      if (!readFields.has(objectId) && readFields.size >= SUI_LIMITS.object_runtime_max_num_cached_objects) {
        throw new CallFailure("TooManyFields");
      }
      readFields.add(objectId);
      return written.has(objectId) ? written.get(objectId) : state.get(objectId);
    },

    /** A field that was changed, and then again to what it was, has not changed. */
    changes(): Change[] {
      return [...written].flatMap(([objectId, after]) => {
        const before = state.get(objectId);
        const isSame = before && after ? Buffer.compare(before.content, after.content) === 0 : before === after;
        return isSame ? [] : [{ objectId, ...(before && { before }), ...(after && { after }) }];
      });
    },
  };
}
