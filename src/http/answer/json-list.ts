// One long list as JSON, in pieces: `opening` is all up to the bracket that begins the list, which ends the object, too.

export async function* jsonList(opening: string, pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let next = opening;
  for await (const items of pages) {
    if (items.length === 0) continue;
    yield next + joinedJson(items);
    next = ",";
  }
  yield closingOf(next);
}

export const joinedJson = (items: readonly unknown[]): string => items.map((item) => JSON.stringify(item)).join(",");

/** What ends the list. `next` is what another item would have begun with: the opening, if there was none. */
export const closingOf = (next: string): string => (next === "," ? "]}" : `${next}]}`);
