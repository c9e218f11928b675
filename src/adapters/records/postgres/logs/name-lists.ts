// Long lists of names, each kept once: the blocked namespaces of receipts, and the lists of decisions.
import type { Database } from "#adapters/records/postgres/connection/database.ts";
import type { NameList } from "#ports.ts";

/** How many digests a process remembers to be on record. */
const MOST_REMEMBERED = 10_000;

const KNOWN = "SELECT digest FROM blocked_lists WHERE digest = ANY ($1)";
const ADD = `
  WITH list AS (INSERT INTO blocked_lists (digest) VALUES ($1) ON CONFLICT (digest) DO NOTHING RETURNING id)
  INSERT INTO blocked_names (list, namespace) SELECT id, unnest($2::text[]) FROM list`;

export interface NameLists {
  /** Records the lists that are not on record. They are long, so known ones are not sent, and each has its own commit. */
  keep(lists: readonly (NameList | undefined)[]): Promise<void>;
}

export function nameLists(database: Database): NameLists {
  // Lists are never removed, so what is on record stays so.
  const onRecord = new Set<string>();

  function remember(digest: string): void {
    if (onRecord.size >= MOST_REMEMBERED) onRecord.clear();
    onRecord.add(digest);
  }

  return {
    async keep(lists) {
      const missing = new Map<string, NameList>();
      for (const list of lists) {
        if (list !== undefined && list.names.length > 0 && !onRecord.has(list.digest)) missing.set(list.digest, list);
      }
      if (missing.size === 0) return;
      const known = await database.rows<{ digest: string }>({ text: KNOWN, values: [[...missing.keys()]] });
      for (const { digest } of known) {
        missing.delete(digest);
        remember(digest);
      }
      for (const { digest, names } of missing.values()) {
        await database.write({ text: ADD, values: [digest, names] });
        remember(digest);
      }
    },
  };
}
