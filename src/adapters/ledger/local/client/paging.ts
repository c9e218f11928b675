// Pages as a full node makes them: at most 1,000 entries, 50 by default, and a cursor for the next page.
import { bcs } from "@mysten/sui/bcs";
import type { SuiClientTypes } from "@mysten/sui/client";
import { fromBase64, fromHex, toBase64, toHex } from "@mysten/sui/utils";
import { refusal } from "#adapters/ledger/local/execution/failure.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1000;

const pageSize = (limit: number | undefined) => Math.min(Math.max(limit ?? DEFAULT_LIMIT, 1), MAX_LIMIT);

/** `ids` are sorted. The cursor is the first id of the next page, so it stays valid when ids come and go. */
export function pageOfIds(
  ids: readonly string[],
  { cursor, limit }: { cursor?: string | null | undefined; limit?: number | undefined },
) {
  const start = cursor ? indexFrom(ids, `0x${toHex(readCursor(cursor, 32))}`) : 0;
  const end = start + pageSize(limit);
  const next = ids[end];
  return {
    ids: ids.slice(start, end),
    hasNextPage: next !== undefined,
    cursor: next === undefined ? null : toBase64(fromHex(next)),
  };
}

function indexFrom(ids: readonly string[], id: string): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? "") < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Follows the SDK's rules for `after`, `before` and `order`. `walk` gives the entries in either order. */
export function pageOfHistory<Item>(
  query: Omit<SuiClientTypes.ListTransactionsOptions, "filter" | "include">,
  walk: (descending: boolean) => Iterable<readonly [position: number, item: Item]>,
) {
  const { after, before, order } = query;
  if (after != null && before != null) throw new Error("Only one of `after` or `before` may be provided");
  const descending = order === undefined ? before != null : order === "descending";
  if (after != null && descending) throw new Error("`after` can not be combined with descending queries");
  if (before != null && !descending) throw new Error("`before` can not be combined with ascending queries");

  const from = after == null ? Number.NEGATIVE_INFINITY : readPosition(after);
  const to = before == null ? Number.POSITIVE_INFINITY : readPosition(before);
  const found: (readonly [number, Item])[] = [];
  const limit = pageSize(query.limit);
  for (const entry of walk(descending)) {
    if (entry[0] <= from || entry[0] >= to) continue;
    found.push(entry);
    if (found.length > limit) break;
  }
  const page = found.slice(0, limit);
  const cursorOf = (entry: readonly [number, Item] | undefined) =>
    entry === undefined ? null : bcs.u64().serialize(entry[0]).toBase64();
  return {
    items: page.map(([, item]) => item),
    hasNextPage: found.length > limit,
    startCursor: cursorOf(page[0]),
    endCursor: cursorOf(page.at(-1)),
  };
}

const readPosition = (cursor: string) => Number(bcs.u64().parse(readCursor(cursor, 8)));

function readCursor(cursor: string, length: number): Uint8Array {
  try {
    const bytes = fromBase64(cursor);
    if (bytes.length === length) return bytes;
  } catch {
    // The cursor is not base64. The error follows below.
  }
  throw refusal("invalid page_token");
}
