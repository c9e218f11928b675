// The current version of every object, and an index by owner.
import type { StoredObject } from "./objects.ts";

/** The change of one object. Without `before` it was created, without `after` it was deleted. */
export interface Change {
  readonly objectId: string;
  readonly before?: StoredObject;
  readonly after?: StoredObject;
}

export interface State {
  get(objectId: string): StoredObject | undefined;
  /** The ids of the objects that an address or an object owns, in ascending order. */
  idsOwnedBy(owner: string): readonly string[];
  apply(changes: readonly Change[]): void;
}

export function createState(objects: readonly StoredObject[]): State {
  const byId = new Map<string, StoredObject>();
  const byOwner = new Map<string, Set<string>>();
  /** A cache of sorted ids. An entry is deleted when its owner gets or loses an object. */
  const sorted = new Map<string, readonly string[]>();

  function put(object: StoredObject): void {
    const isNew = !byId.has(object.objectId);
    byId.set(object.objectId, object);
    const owner = ownerOf(object);
    // The owner of an object never changes: no call of the module transfers one.
    if (owner === undefined || !isNew) return;
    byOwner.set(owner, (byOwner.get(owner) ?? new Set()).add(object.objectId));
    sorted.delete(owner);
  }

  function remove(object: StoredObject): void {
    byId.delete(object.objectId);
    const owner = ownerOf(object);
    if (owner === undefined) return;
    byOwner.get(owner)?.delete(object.objectId);
    sorted.delete(owner);
  }

  for (const object of objects) put(object);
  return {
    get: (objectId) => byId.get(objectId),
    idsOwnedBy(owner) {
      const ids = sorted.get(owner) ?? [...(byOwner.get(owner) ?? [])].sort();
      sorted.set(owner, ids);
      return ids;
    },
    apply(changes) {
      for (const { before, after } of changes) {
        if (after !== undefined) put(after);
        else if (before !== undefined) remove(before);
      }
    },
  };
}

function ownerOf({ owner }: StoredObject): string | undefined {
  return owner.AddressOwner ?? owner.ObjectOwner;
}
