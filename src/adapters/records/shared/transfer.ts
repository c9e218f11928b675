// Rows of removals, as the tombstones of an export.
import type { ForgetCause } from "#core/tombstone.ts";
import type { ExportedTombstone, TombstonePage, TombstoneQuery } from "#ports.ts";

/** A removal. One of an earlier version has no id, and one by superseding leaves no tombstone. */
export interface RemovalRow {
  readonly sequence: number;
  readonly namespace: string;
  readonly cause: ForgetCause | "superseded" | null;
  readonly reason: string | null;
  readonly memoryId: string | null;
  readonly sourceAgent: string | null;
  readonly forgottenBy: string | null;
  readonly forgottenAt: string | null;
}

/** `rows` are those after the position, and one more than the limit if there are more. */
export function toTombstonePage(rows: readonly RemovalRow[], query: TombstoneQuery): TombstonePage {
  const page = rows.slice(0, query.limit);
  const namespaces = query.namespaces && new Set(query.namespaces);
  const tombstones = page.flatMap((row): ExportedTombstone[] => {
    const { memoryId, namespace, sourceAgent, cause, reason, forgottenBy, forgottenAt } = row;
    if (memoryId === null || sourceAgent === null || forgottenBy === null || forgottenAt === null) return [];
    if (cause === null || cause === "superseded") return [];
    if (namespaces?.has(namespace) === false) return [];
    if (query.sourceAgent !== undefined && query.sourceAgent !== sourceAgent) return [];
    const said = reason === null ? { cause } : { cause, reason };
    return [{ memoryId, namespace, sourceAgent, ...said, forgottenBy, forgottenAt }];
  });
  const last = page.at(-1);
  return rows.length > page.length && last !== undefined ? { tombstones, next: Number(last.sequence) } : { tombstones };
}

/** A memory that was recorded again under its id may have several. They come in the order of their forgetting. */
export function newestById(tombstones: readonly ExportedTombstone[]): ExportedTombstone[] {
  return [...new Map(tombstones.map((each) => [each.memoryId, each])).values()];
}
