// Appends entries to the tree. Stored tiles of level 0 have the entries themselves, all others hashes; a tile that is full
// gives its root to the level above.
import { concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { orUndefined } from "#core/defined.ts";
import { toHex } from "#core/encoding/digest.ts";
import { bodyOf, CHAIN_START, type EntryBatch, entriesIn, entryOf, nextChain, saltOf } from "./entry.ts";
import { EMPTY_ROOT, growingRoot, leafHash } from "./merkle-tree.ts";
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

export interface WaitingBatch extends EntryBatch {
  readonly tenant: number;
}

/** With the time of the one before it, if its own is earlier. */
export interface PlacedBatch extends Pick<WaitingBatch, "tenant" | "last" | "at"> {
  /** Of its first entry. */
  readonly treeIndex: number;
}

interface Before {
  readonly size: number;
  /** The tile of each level that is not full, if it has a hash. */
  readonly edge: readonly StoredTile[];
  readonly chains: readonly Chain[];
  /** As it was after the last time. Otherwise it is made of the edge, with the hashes of all its tiles. */
  readonly tree?: GrowingTree | undefined;
}

/** So many and the rest of a batch take a millisecond. */
const AT_ONCE = 25;

/**
 * A batch that cannot be read, or does not follow the one before it, is left with all that come after it in its tenant: what
 * was on record is damaged. Yields between parts of the work.
 */
export function* integrate(before: Before, waiting: readonly WaitingBatch[], newKey: () => string) {
  const chains = new Map(before.chains.map((chain) => [chain.tenant, growingChain(chain)]));
  const tree = before.tree ?? growingTree(before);
  const placed: PlacedBatch[] = [];
  const damaged = new Set<number>();
  let sinceYield = 0;
  for (const batch of waiting) {
    const { tenant, last } = batch;
    const chain =
      chains.get(tenant) ?? growingChain({ tenant, number: 0, chain: toHex(CHAIN_START), key: newKey(), lastAt: "" });
    chains.set(tenant, chain);
    const grown = chain.append(batch);
    if (grown === undefined) {
      damaged.add(tenant);
      continue;
    }
    placed.push({ tenant, last, at: grown.at, treeIndex: tree.size() });
    for (const entry of grown.entries) tree.append(entry);
    sinceYield += grown.entries.length;
    if (sinceYield < AT_ONCE) continue;
    sinceYield = 0;
    yield;
  }
  const grown = new Set(placed.map(({ tenant }) => tenant));
  return {
    /** For the next time. */
    tree,
    ...tree.takeState(),
    chains: [...chains].filter(([tenant]) => grown.has(tenant)).map(([, chain]) => chain.state()),
    placed,
    /** The tenants of which something was left. */
    damaged,
  };
}

function growingChain(before: Chain) {
  const key = hexToBytes(before.key);
  let { number, lastAt } = before;
  let chain: Uint8Array = hexToBytes(before.chain);
  return {
    /** Undefined if it is not the next one, or cannot be read. */
    append(batch: WaitingBatch): { readonly entries: readonly Uint8Array[]; readonly at: string } | undefined {
      // The clock of another replica may be behind.
      const at = batch.at < lastAt ? lastAt : batch.at;
      const recorded = orUndefined(() => entriesIn({ ...batch, at }));
      if (recorded?.[0]?.number !== number + 1) return undefined;
      const entries = recorded.map((each) => entryOf(saltOf(key, each.number), bodyOf(key, each)));
      chain = entries.reduce(nextChain, chain);
      number = batch.last;
      lastAt = at;
      return { entries, at };
    },
    state: (): Chain => ({ ...before, number, chain: toHex(chain), lastAt }),
  };
}

/** The last tile of a level, and the root of what it has. */
interface Edge {
  readonly hashes: Uint8Array[];
  readonly root: ReturnType<typeof growingRoot>;
}

export type GrowingTree = ReturnType<typeof growingTree>;

function growingTree({ size: first, edge }: Pick<Before, "size" | "edge">) {
  const levels: Edge[] = [];
  for (const { level, hashes } of edge) for (const hash of hashesOf(hashes)) extend(edgeOf(level), level, hash);
  let changed = new Map<string, StoredTile>();
  let size = first;

  function edgeOf(level: number): Edge {
    const known = levels[level] ?? { hashes: [], root: growingRoot() };
    levels[level] = known;
    return known;
  }

  function append(level: number, hash: Uint8Array, index: number): void {
    const last = edgeOf(level);
    extend(last, level, hash);
    const number = Math.floor(index / TILE_WIDTH);
    changed.set(`${level}/${number}`, { level, number, hashes: new Uint8Array() });
    if (last.hashes.length < TILE_WIDTH) return;
    changed.set(`${level}/${number}`, { level, number, hashes: concatBytes(...last.hashes) });
    delete levels[level];
    append(level + 1, last.root.root(), number);
  }

  return {
    size: () => size,
    append(entry: Uint8Array): void {
      append(0, entry, size);
      size += 1;
    },
    /** With the tiles that changed since the last time. */
    takeState() {
      const tiles = [...changed.values()].map(withHashes);
      changed = new Map();
      return { size, root: toHex(rootOfEdges(levels)), tiles };
    },
  };

  function withHashes(tile: StoredTile): StoredTile {
    return tile.hashes.length > 0 ? tile : { ...tile, hashes: concatBytes(...edgeOf(tile.level).hashes) };
  }
}

function extend({ hashes, root }: Edge, level: number, hash: Uint8Array): void {
  hashes.push(hash);
  root.append(level === 0 ? leafHash(hash) : hash);
}

/** Below each level is at most one tree that is not complete, to the right of all that are. */
function rootOfEdges(levels: readonly (Edge | undefined)[]): Uint8Array {
  const root = [...levels].reduce<Uint8Array | undefined>(
    (rest, edge) => (edge === undefined ? rest : edge.root.rootBefore(rest)),
    undefined,
  );
  return root ?? EMPTY_ROOT;
}
