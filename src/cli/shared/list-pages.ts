// Lists: page after page of the service, as a table or as JSON lines, up to a limit.
import type { Invocation } from "#cli/invocation.ts";
import type { CommandName } from "#cli/table/command-table.ts";
import { type Cell, type Column, table } from "#cli/terminal/table.ts";
import { parseCount } from "./arguments.ts";

const USUAL_LIMIT = 50;
const LONGEST_PAGE = 500;

interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string | undefined;
}

interface Listing<T> {
  readonly columns: readonly Column[];
  readonly rowOf: (item: T) => readonly Cell[];
  readonly page: (query: { readonly limit: number; readonly cursor?: string }) => Promise<Page<T>>;
}

interface Asked extends Pick<Invocation<CommandName>, "out" | "say" | "json"> {
  readonly values: { readonly limit?: string; readonly all?: boolean; readonly json?: boolean };
}

export async function listPages<T>(
  { values, out, say, json }: Asked,
  { columns, rowOf, page }: Listing<T>,
): Promise<void> {
  const limit = values.limit === undefined ? USUAL_LIMIT : parseCount("--limit", values.limit);
  let left = values.all ? Number.POSITIVE_INFINITY : limit;
  const rows = table(out, columns);
  let cursor: string | undefined;
  do {
    // A page with filters may be empty, and not the last.
    const next = await page({ limit: Math.min(left, LONGEST_PAGE), ...(cursor !== undefined && { cursor }) });
    left -= next.items.length;
    cursor = next.nextCursor;
    if (values.json) for (const item of next.items) await json(item);
    else await rows.add(next.items.map(rowOf));
  } while (cursor !== undefined && left > 0);
  if (cursor !== undefined) await say("There are more. --all lists them all.");
}
