// Long lists of names, each kept once: the blocked namespaces of receipts, and the lists of decisions.
import type { Database } from "#adapters/records/postgres/connection/database.ts";
import type { NameList } from "#core/name-list.ts";

/** How many digests a process remembers to be on record. */
const MOST_REMEMBERED = 10_000;

/** For how long it does so. Much shorter than an unused list stays on record (retention.ts). */
const REMEMBERED_MS = 600_000;

/** A list that is about to be used is not unused any more. */
const KNOWN = `
  WITH used AS (
    UPDATE blocked_lists SET unused_since = NULL WHERE digest = ANY ($1) AND unused_since IS NOT NULL RETURNING digest
  )
  SELECT digest FROM blocked_lists WHERE digest = ANY ($1) UNION SELECT digest FROM used`;
const ADD = `
  WITH list AS (INSERT INTO blocked_lists (digest) VALUES ($1) ON CONFLICT (digest) DO NOTHING RETURNING id)
  INSERT INTO blocked_names (list, namespace) SELECT id, unnest($2::text[]) FROM list`;

export interface NameLists {
  /** Records the lists that are not on record. They are long, so known ones are not sent, and each has its own commit. */
  keep(lists: readonly (NameList | undefined)[]): Promise<void>;
}

export function nameLists(database: Database): NameLists {
  const onRecord = new Set<string>();
  let forgetAt = 0;

  function remember(digest: string): void {
    if (onRecord.size >= MOST_REMEMBERED) onRecord.clear();
    onRecord.add(digest);
  }

  function forgetRegularly(): void {
    if (performance.now() < forgetAt) return;
    onRecord.clear();
    forgetAt = performance.now() + REMEMBERED_MS;
  }

  return {
    async keep(lists) {
      forgetRegularly();
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
