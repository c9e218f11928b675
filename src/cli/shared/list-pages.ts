// Lists: page after page of the service, as a table or as JSON lines, up to a limit.
import type { Invocation } from "#cli/invocation.ts";
import type { SERVICE, Values } from "#cli/table/command.ts";
import type { CommandName } from "#cli/table/command-table.ts";
import { type Cell, type Column, table } from "#cli/terminal/table.ts";
import type { Client, Listing } from "#contract/client/client.ts";
import { paths, type RouteName } from "#contract/paths.ts";
import type { Query } from "#contract/routes.ts";
import { openClient } from "./service-client.ts";

const USUAL_LIMIT = 50;
const LONGEST_PAGE = 500;

type ListRoute = { [N in RouteName]: (typeof paths)[N] extends { lists: string } ? N : never }[RouteName];
type Element<N extends RouteName> = Client[N] extends Listing<never[], unknown, infer T> ? T : never;
type Pages = Listing<[query: object], Readonly<Record<string, readonly unknown[]>>, unknown>["pages"];

interface Asked<N extends ListRoute> extends Omit<Invocation<CommandName>, "values" | "wanted"> {
  readonly values: Values<typeof SERVICE>;
  readonly wanted: Query<N> & { readonly limit?: number; readonly all?: boolean };
}

/** What is wanted becomes the query. */
export async function listPages<N extends ListRoute>(
  invocation: Asked<N>,
  route: N,
  columns: readonly Column[],
  rowOf: (element: Element<N>) => readonly Cell[],
): Promise<undefined> {
  const { values, wanted, out, say, json } = invocation;
  const { limit = USUAL_LIMIT, all, ...query } = wanted;
  let left = all ? Number.POSITIVE_INFINITY : limit;
  const rows = table(out, columns);
  const { client } = await openClient(invocation);
  const { pages } = client[route] as unknown as { readonly pages: Pages };
  for await (const page of pages({ ...query, limit: Math.min(left, LONGEST_PAGE) })) {
    const found = page[paths[route].lists] as readonly Element<N>[];
    const shown = found.slice(0, left);
    left -= shown.length;
    if (values.json) for (const element of shown) await json(element);
    else await rows.add(shown.map(rowOf));
    if (left > 0) continue;
    if (shown.length < found.length || page.nextCursor !== undefined)
      await say("There are more. --all lists them all.");
    return;
  }
}
