// Tiles (C2SP tlog-tiles): rows of up to 256 hashes of the tree, and bundles of up to 256 entries, under paths that never
// change. A tile that is not full is one of a certain size of the log.
import { concatBytes } from "@noble/hashes/utils.js";

export const TILE_WIDTH = 256;
/** Levels of the tree between one level of tiles and the next. */
const LEVELS = 8;
const HASH_BYTES = 32;
const LENGTH_BYTES = 2;

export interface TileRef {
  /** Of the tiles: level 0 has the hashes of the entries. "entries" is for the entries themselves. */
  readonly level: number | "entries";
  readonly index: number;
  /** How many hashes or entries it has, 256 if it is full. */
  readonly width: number;
}

/** Below the log's prefix: `tile/0/x001/234.p/5` for example. */
export function tilePath({ level, index, width }: TileRef): string {
  const digits = String(index).padStart(Math.ceil(String(index).length / 3) * 3, "0");
  const groups = digits.match(/.{3}/g) ?? [];
  const name = groups.map((group, i) => (i < groups.length - 1 ? `x${group}` : group)).join("/");
  return `tile/${level}/${name}${width < TILE_WIDTH ? `.p/${width}` : ""}`;
}

const PATH = /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/(\d{1,3}))?$/;
const TOP_LEVEL = 63;

/** Undefined if it is not the path of a tile. */
export function parseTilePath(path: string): TileRef | undefined {
  const [, name, groups = "", part] = PATH.exec(path) ?? [];
  if (name === undefined) return undefined;
  const level: TileRef["level"] = name === "entries" ? name : Number(name);
  const ref = {
    level,
    index: Number(groups.replaceAll(/[x/]/g, "")),
    width: part === undefined ? TILE_WIDTH : Number(part),
  };
  const isValid = (level === "entries" || level <= TOP_LEVEL) && ref.width > 0 && Number.isSafeInteger(ref.index);
  // There is one path for each tile: no leading zeros, and no part of 256.
  return isValid && tilePath(ref) === path ? ref : undefined;
}

/** Whether a log of this size has the tile, or had it at a smaller size. */
export function hasTile(size: number, { level, index, width }: TileRef): boolean {
  const nodes = Math.floor(size / TILE_WIDTH ** (level === "entries" ? 0 : level));
  return index * TILE_WIDTH + width <= nodes;
}

/** The tile that has the node, or the nodes below it; how far it is above the tile's own, and its place among those of its level. */
export function tileOfNode(level: number, index: number) {
  const above = level % LEVELS;
  const inTile = TILE_WIDTH / 2 ** above;
  const number = Math.floor(index / inTile);
  return { level: Math.floor(level / LEVELS), number, above, place: index - number * inTile };
}

export const hashesOf = (tile: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.floor(tile.length / HASH_BYTES) }, (_, i) =>
    tile.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES),
  );

/** Each entry after its length. */
export const entryBundle = (entries: readonly Uint8Array[]): Uint8Array =>
  concatBytes(...entries.flatMap((entry) => [Uint8Array.of(entry.length >> 8, entry.length), entry]));

/** Undefined if it is malformed. */
export function parseEntryBundle(bundle: Uint8Array): Uint8Array[] | undefined {
  const view = new DataView(bundle.buffer, bundle.byteOffset, bundle.length);
  const entries: Uint8Array[] = [];
  let place = 0;
  while (place + LENGTH_BYTES <= bundle.length) {
    const end = place + LENGTH_BYTES + view.getUint16(place);
    if (end > bundle.length) return undefined;
    entries.push(bundle.subarray(place + LENGTH_BYTES, end));
    place = end;
  }
  return place === bundle.length && entries.length <= TILE_WIDTH ? entries : undefined;
}
