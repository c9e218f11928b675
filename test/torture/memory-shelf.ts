// The memories of a run: one in each place, with a name of its own. The name stands in its text as a canary, so that
// whoever sees the text knows which memory it is of, of which namespace, and of which tenant. All else is the same in every
// tenant: keys, digests and blobs, too.
import type { MemoryOnRecord } from "#ports.ts";

export const NAMESPACES = ["x", "y"] as const;
/** In each namespace there is a memory that stays, and one that expires. */
export const PLACES = NAMESPACES.flatMap((namespace) =>
  [false, true].map((expires, i) => ({ namespace, expires, key: `${namespace}${i}` })),
);
const SOURCE = "s";

export interface Shelved {
  readonly name: string;
  readonly memory: MemoryOnRecord;
}

export interface Shelf {
  /** What is in this place. */
  at(place: number): Shelved;
  all(): readonly Shelved[];
  /** A new memory for this place, which is not in it yet. */
  newFor(place: number): Shelved;
  put(place: number, shelved: Shelved): void;
}

/** More memories than a tenant gets in one run. */
const MOST_MEMORIES = 1_000;
let runs = 0;

/** One for each tenant, which has a letter. `expiresAt` is the time of those that expire. */
export function createShelves(tenants: readonly string[], expiresAt: () => string): Shelf[] {
  const first = MOST_MEMORIES * runs++;
  return tenants.map((tenant) => createShelf(tenant, first, expiresAt));
}

export const isOfTenant = (name: string, tenant: string): boolean => name.endsWith(tenant);

function createShelf(tenant: string, first: number, expiresAt: () => string): Shelf {
  let count = first;
  function newFor(place: number): Shelved {
    const { namespace, expires, key } = PLACES[place] as (typeof PLACES)[number];
    const fact = `${namespace}${++count}`;
    const name = `${fact}${tenant}`;
    const memory = {
      memoryId: `mem_of_${name}`,
      storeRef: `ref ${fact}`,
      namespace,
      content: `<${name}>`,
      sourceAgent: SOURCE,
      createdAt: "2026-01-01T00:00:00.000Z",
      contentDigest: fact,
      key,
      ...(expires && { expiresAt: expiresAt() }),
    };
    return { name, memory };
  }
  const places = PLACES.map((_, i) => newFor(i));
  return {
    at: (place) => places[place] as Shelved,
    all: () => [...places],
    newFor,
    put(place, shelved) {
      places[place] = shelved;
    },
  };
}

/** The names that stand in a text, and their namespaces. */
export function namesIn(text: string): { readonly namespaces: readonly string[]; readonly names: readonly string[] } {
  const names = [...text.matchAll(/<(\w+)>/g)].map(([, name = ""]) => name);
  return { names, namespaces: [...new Set(names.map((name) => name.charAt(0)))] };
}
