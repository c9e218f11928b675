// Reads a log as anyone can (C2SP tlog-tiles), and believes nothing of it that does not lead to a root.
import { readUpTo } from "#core/encoding/read-up-to.ts";
import { completeSubtrees, consistencyProof, type ReadNode } from "#core/log/merkle-tree.ts";
import { hashesOf, parseEntryBundle, TILE_WIDTH, type TileRef, tileOfNode, tilePath } from "#core/log/tiles.ts";

const DEADLINE_MS = 30_000;
const MOST_BYTES = 256 * 1024;
const MOST_PAGE_BYTES = 4 * MOST_BYTES;

export type LogClient = ReturnType<typeof createLogClient>;

/** `prefix` is that of the log, without a slash at its end. */
export function createLogClient(prefix: string, { signal, fetch }: Options) {
  async function get(path: string, most: number) {
    const within = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
    const response = await fetch(`${prefix}/${path}`, { signal: within, redirect: "error" });
    const bytes = await readUpTo(most, response.body);
    if (bytes === undefined) throw new Error(`The log has sent too much for ${path}.`);
    return { status: response.status, bytes };
  }

  async function read(path: string): Promise<Uint8Array> {
    const { status, bytes } = await get(path, MOST_BYTES);
    if (status !== 200) throw new Error(`The log answers ${status} to ${path}.`);
    return bytes;
  }

  /** A log may keep the full tile alone. */
  const tile = (ref: TileRef): Promise<Uint8Array> =>
    read(tilePath(ref)).catch((error) => {
      if (ref.width === TILE_WIDTH || signal.aborted) throw error;
      return read(tilePath({ ...ref, width: TILE_WIDTH })).catch(() => Promise.reject(error));
    });

  const nodesOf = (size: number): ReadNode => {
    const tiles = new Map<string, Promise<readonly (readonly Uint8Array[])[]>>();
    return async (level, index) => {
      const node = tileOfNode(level, index);
      const nodes = Math.floor(size / TILE_WIDTH ** node.level) - node.number * TILE_WIDTH;
      const ref = { level: node.level, index: node.number, width: Math.min(TILE_WIDTH, nodes) };
      const path = tilePath(ref);
      const subtrees = tiles.get(path) ?? tile(ref).then((bytes) => completeSubtrees(hashesOf(bytes)));
      tiles.set(path, subtrees);
      const hash = (await subtrees)[node.above]?.[node.place];
      if (hash === undefined) throw new Error(`The log has sent a malformed tile, ${path}.`);
      return hash;
    };
  };

  return {
    /** The verifier that the service beside the log sends. Undefined if it has none. */
    async verifier(): Promise<Uint8Array | undefined> {
      const { status, bytes } = await get("../verify.html", MOST_PAGE_BYTES);
      return status === 200 ? bytes : undefined;
    },
    checkpoint: async () => new TextDecoder().decode(await read("checkpoint")),
    /** From the tiles. It proves nothing if they are not those of the greater tree. */
    consistency: (from: number, to: number) => consistencyProof(from, to, nodesOf(to)),
    /** The entries from one place on, up to the size, in bundles. */
    async *entries(from: number, size: number): AsyncGenerator<Uint8Array[]> {
      for (let first = from; first < size; ) {
        const index = Math.floor(first / TILE_WIDTH);
        const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
        const bundle = parseEntryBundle(await tile({ level: "entries", index, width }));
        const entries = bundle?.slice(first - index * TILE_WIDTH, width) ?? [];
        if (entries.length === 0) throw new Error(`The log has sent a malformed bundle of entries, ${index}.`);
        yield entries;
        first += entries.length;
      }
    },
  };
}

interface Options {
  readonly signal: AbortSignal;
  readonly fetch: typeof globalThis.fetch;
}
