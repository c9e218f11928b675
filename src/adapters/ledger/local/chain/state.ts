// The current version of every object, and an index by owner.
import type { StoredObject } from "./objects.ts";

/** The change of one object. Without `before` it was created, without `after` it was deleted. */
export interface Change {
  readonly objectId: string;
  readonly before?: StoredObject;
  readonly after?: StoredObject;
}

export type State = ReturnType<typeof createState>;

export function createState(initial: readonly Change[]) {
  const byId = new Map<string, StoredObject>();
  const byOwner = new Map<string, Set<string>>();
  /** A cache of sorted ids. An entry is deleted when its owner gets or loses an object. */
  const sorted = new Map<string, readonly string[]>();

  function apply(changes: readonly Change[]): void {
    for (const { objectId, before, after } of changes) {
      if (after === undefined) byId.delete(objectId);
      else byId.set(objectId, after);
      // The owner of an object never changes: no call of the module transfers one.
      if (before !== undefined && after !== undefined) continue;
      const owner = (after ?? before)?.owner;
      const ownerId = owner?.AddressOwner ?? owner?.ObjectOwner;
      if (ownerId === undefined) continue;
      const owned = byOwner.get(ownerId) ?? new Set();
      if (after === undefined) owned.delete(objectId);
      else owned.add(objectId);
      byOwner.set(ownerId, owned);
      sorted.delete(ownerId);
    }
  }

  apply(initial);
  return {
    apply,
    get: (objectId: string): StoredObject | undefined => byId.get(objectId),
    /** The ids of the objects that an address or an object owns, in ascending order. */
    idsOwnedBy(owner: string): readonly string[] {
      const ids = sorted.get(owner) ?? [...(byOwner.get(owner) ?? [])].sort();
      sorted.set(owner, ids);
      return ids;
    },
  };
}
