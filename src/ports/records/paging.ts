/**
 * A bounded read, newest first. The store looks at no more than about `scan` rows. A page that ends for that reason is
 * short, even empty, and says where the next one begins. Without `scan` the store looks at as many rows as it takes.
 */
export interface PageOf<Position> {
  /** Exclusive. */
  readonly before?: Position | undefined;
  readonly limit: number;
  readonly scan?: number | undefined;
  /** The page ends before its records have more bytes than this. It has at least one record, if any matches. */
  readonly bytes?: number | undefined;
}

/** One in the order of positions, after this one. */
export interface After<Position> {
  readonly after?: Position | undefined;
  readonly limit: number;
}

/** What a bounded read found, under its name. */
export type Page<Name extends string, Item, Position> = { readonly [Items in Name]: readonly Item[] } & {
  /** Where the next page begins; absent on the last one. */
  readonly next?: Position;
};
