import { setImmediate as nextTurn } from "node:timers/promises";
import type { Principal } from "#core/identity/principal.ts";
import type { ExportRecord } from "#core/transfer/export-format.ts";
import type { Deps } from "#service/deps.ts";
import { type Quoted, readBehindFence } from "#service/policy/fenced-read.ts";
import type { ExportWriter } from "./export-writer.ts";

/** What is wanted of all that the caller may read. A field that is left out lets all pass. */
export interface ExportFilter {
  readonly namespace?: string | undefined;
  readonly sourceAgent?: string | undefined;
  /** Sealed memories as plain text. Only admins get them otherwise. */
  readonly open?: boolean;
}

/** Admins get sealed memories, and seeds of their receipts, as they are stored. The others read what is opened for them. */
export function readingDeps({ deps, principal, filter }: Pick<ExportScope, "deps" | "principal" | "filter">): Deps {
  return principal.role === "admin" && !filter.open ? { ...deps, records: deps.stored } : deps;
}

/** One export: for whom, of what, and where it goes. */
export interface ExportScope {
  readonly deps: Deps;
  readonly principal: Principal;
  readonly filter: ExportFilter;
  readonly writer: ExportWriter;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
}

export interface ExportPage<Position> {
  readonly records: readonly ExportRecord[];
  /** What the records quote. */
  readonly quoted: readonly Quoted[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: Position | undefined;
}

/** Writes page after page behind the fence. A page is read again when the fence does not let it pass. */
export async function writePages<Position>(
  { deps, principal, writer }: ExportScope,
  read: (from: Position | undefined) => Promise<ExportPage<Position>>,
): Promise<void> {
  let from: Position | undefined;
  do {
    const load = async () => {
      const page = await read(from);
      return { value: page, quoted: page.quoted };
    };
    await readBehindFence(deps, principal, load, ({ records, next }, lost) => {
      from = next;
      return writer.records(records, lost);
    });
    // A client that reads fast would otherwise keep all others waiting: reads of SQLite, and writes that the operating
    // system takes at once, never wait for the event loop. Not behind the fence, which others wait for.
    await nextTurn();
  } while (from !== undefined && !writer.isClosed());
}
