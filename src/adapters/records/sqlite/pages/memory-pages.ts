// Pages of memories, newest first. An index gives the candidates, as few as the bound allows; what no index answers is
// looked up in their rows.
import type { DatabaseSync } from "node:sqlite";
import { MEMORY_COLUMNS } from "#adapters/records/shared/memory-columns.ts";
import type { Memory } from "#core/memory.ts";
import type { MemoryFilter, MemoryPage, PageOf } from "#ports.ts";

/** Sequences in falling order. */
interface Candidates {
  readonly sequences: readonly number[];
  /** There are others below these. */
  readonly hasMore: boolean;
}

/** Of many namespaces each still gives this many candidates at a time, so that a page takes few reads. */
const SMALLEST_SHARE = 64;
/** More than there will ever be. */
const ANY = 2 ** 50;

export function memoryPages(database: DatabaseSync) {
  const below = (condition: string) =>
    database.prepare(
      `SELECT sequence FROM memories WHERE ${condition} AND sequence < ? ORDER BY sequence DESC LIMIT ?`,
    );
  const [ofAll, ofNamespace, ofSourceAgent] = [below("? IS NULL"), below("namespace = ?"), below("source_agent = ?")];
  const matching = database.prepare(
    `SELECT sequence, ${MEMORY_COLUMNS} FROM json_each(:sequences) AS wanted JOIN memories ON sequence = wanted.value
     WHERE (:sourceAgent IS NULL OR source_agent = :sourceAgent) AND (:like IS NULL OR content LIKE :like ESCAPE '\\')
     ORDER BY wanted.key LIMIT :limit`,
  );

  function take(statement: typeof ofAll, of: string | null, before: number, count: number): Candidates {
    const rows = statement.all(of, before, count + 1) as { sequence: number }[];
    return { sequences: rows.slice(0, count).map(({ sequence }) => sequence), hasMore: rows.length > count };
  }

  function candidates({ namespaces, sourceAgent }: MemoryFilter, before: number, count: number): Candidates {
    if (namespaces === undefined) {
      return sourceAgent === undefined
        ? take(ofAll, null, before, count)
        : take(ofSourceAgent, sourceAgent, before, count);
    }
    const share = Math.max(Math.ceil(count / namespaces.length), Math.min(count, SMALLEST_SHARE));
    return merged([...new Set(namespaces)].map((namespace) => take(ofNamespace, namespace, before, share)));
  }

  function matchesAmong(sequences: readonly number[], { sourceAgent, contains }: MemoryFilter, limit: number) {
    return matching.all({
      sequences: JSON.stringify(sequences),
      sourceAgent: sourceAgent ?? null,
      like: contains === undefined ? null : `%${contains.replaceAll(/[\\%_]/g, "\\$&")}%`,
      limit,
    }) as unknown as (Memory & { sequence: number })[];
  }

  return function page({ before = ANY, limit, scan = ANY, ...filter }: PageOf<number> & MemoryFilter): MemoryPage {
    const { namespaces, sourceAgent, contains } = filter;
    const needsRows = contains !== undefined || (namespaces !== undefined && sourceAgent !== undefined);
    const { sequences, hasMore } = candidates(filter, before, needsRows ? scan : limit);
    const seen = needsRows ? sequences : sequences.slice(0, limit);
    const rows = matchesAmong(seen, filter, limit + 1);
    const memories = rows.slice(0, limit).map(({ sequence: _, ...memory }) => memory);
    const last = rows.length > limit ? rows[limit - 1]?.sequence : seen.at(-1);
    const isLast = rows.length <= limit && !hasMore && seen.length === sequences.length;
    return isLast || last === undefined ? { memories } : { memories, next: last };
  };
}

/** Where one of the lists was cut off, nothing below its end is known to be next. */
function merged(lists: readonly Candidates[]): Candidates {
  const ends = lists.flatMap(({ sequences, hasMore }) => (hasMore ? (sequences.at(-1) ?? []) : []));
  const floor = Math.max(0, ...ends);
  const all = lists.flatMap(({ sequences }) => sequences.filter((sequence) => sequence >= floor));
  return { sequences: all.sort((a, b) => b - a), hasMore: ends.length > 0 };
}
