// Appends entries to the tree. Stored tiles of level 0 have the entries themselves, all others hashes; a tile that is full
// gives its root to the level above.
import { concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { toHex } from "#core/encoding/digest.ts";
import { bodyOf, CHAIN_START, entryOf, nextChain, type RecordedEntry, saltOf } from "./entry.ts";
import { EMPTY_ROOT, leafHash, rootOfHashes } from "./merkle-tree.ts";
import { hashesOf, TILE_WIDTH } from "./tiles.ts";

/** A tenant's part of the log, as far as it is integrated. All in hexadecimal digits. */
export interface Chain {
  readonly tenant: number;
  readonly number: number;
  readonly chain: string;
  /** What salts and slots are derived from. */
  readonly key: string;
  /** The time of the last entry. */
  readonly lastAt: string;
}

export interface StoredTile {
  readonly level: number;
  readonly number: number;
  readonly hashes: Uint8Array;
}

export interface WaitingEntry extends RecordedEntry {
  readonly tenant: number;
}

export interface PlacedEntry extends Pick<WaitingEntry, "tenant" | "number" | "at"> {
  readonly treeIndex: number;
}

interface Grown {
  readonly size: number;
  readonly root: string;
  readonly tiles: readonly StoredTile[];
  readonly chains: readonly Chain[];
  readonly placed: readonly PlacedEntry[];
}

interface Before {
  readonly size: number;
  /** The tile of each level that is not full, if it has a hash. */
  readonly edge: readonly StoredTile[];
  readonly chains: readonly Chain[];
}

/** Those whose predecessor is not there yet are left for the next time. */
export function integrate(before: Before, waiting: readonly WaitingEntry[], newKey: () => string): Grown {
  const chains = new Map(before.chains.map((chain) => [chain.tenant, growingChain(chain)]));
  const tree = growingTree(before);
  const placed: PlacedEntry[] = [];
  for (const given of waiting) {
    const { tenant, number } = given;
    const chain =
      chains.get(tenant) ?? growingChain({ tenant, number: 0, chain: toHex(CHAIN_START), key: newKey(), lastAt: "" });
    chains.set(tenant, chain);
    const grown = chain.append(given);
    if (grown !== undefined) placed.push({ tenant, number, at: grown.at, treeIndex: tree.append(grown.entry) });
  }
  const grown = new Set(placed.map(({ tenant }) => tenant));
  return {
    ...tree.state(),
    chains: [...chains].filter(([tenant]) => grown.has(tenant)).map(([, chain]) => chain.state()),
    placed,
  };
}

function growingChain(before: Chain) {
  const key = hexToBytes(before.key);
  let { number, lastAt } = before;
  let chain: Uint8Array = hexToBytes(before.chain);
  return {
    /** Undefined if it is not the next one. */
    append(given: WaitingEntry): { readonly entry: Uint8Array; readonly at: string } | undefined {
      if (given.number !== number + 1) return undefined;
      // The clock of another replica may be behind.
      const at = given.at < lastAt ? lastAt : given.at;
      const entry = entryOf(saltOf(key, given.number), bodyOf(key, { ...given, at }));
      chain = nextChain(chain, entry);
      number = given.number;
      lastAt = at;
      return { entry, at };
    },
    state: (): Chain => ({ ...before, number, chain: toHex(chain), lastAt }),
  };
}

function growingTree({ size: first, edge }: Before) {
  /** By level: the hashes of the last tile. */
  const levels: Uint8Array[][] = [];
  for (const { level, hashes } of edge) levels[level] = hashesOf(hashes);
  const changed = new Map<string, StoredTile>();
  let size = first;

  function append(level: number, hash: Uint8Array, index: number): void {
    const hashes = levels[level] ?? [];
    hashes.push(hash);
    levels[level] = hashes;
    const number = Math.floor(index / TILE_WIDTH);
    changed.set(`${level}/${number}`, { level, number, hashes: new Uint8Array() });
    if (hashes.length < TILE_WIDTH) return;
    changed.set(`${level}/${number}`, { level, number, hashes: concatBytes(...hashes) });
    levels[level] = [];
    append(level + 1, rootOfHashes(level === 0 ? hashes.map(leafHash) : hashes), number);
  }

  return {
    append(entry: Uint8Array): number {
      append(0, entry, size);
      size += 1;
      return size - 1;
    },
    state: () => ({ size, root: toHex(rootOfEdge(levels)), tiles: [...changed.values()].map(withHashes) }),
  };

  function withHashes(tile: StoredTile): StoredTile {
    return tile.hashes.length > 0 ? tile : { ...tile, hashes: concatBytes(...(levels[tile.level] ?? [])) };
  }
}

/** Below each level is at most one tree that is not complete, to the right of all that are. */
function rootOfEdge(levels: readonly (readonly Uint8Array[] | undefined)[]): Uint8Array {
  const root = [...levels].reduce<Uint8Array | undefined>((rest, hashes = [], level) => {
    const complete = level === 0 ? hashes.map(leafHash) : hashes;
    const all = rest === undefined ? complete : [...complete, rest];
    return all.length === 0 ? undefined : rootOfHashes(all);
  }, undefined);
  return root ?? EMPTY_ROOT;
}
