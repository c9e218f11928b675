// Long lists of names, each kept once: the blocked namespaces of receipts, and the lists of decisions.

import * as sql from "#adapters/records/shared/sql.ts";
import type { NameList } from "#core/encoding/digest.ts";
import type { Decision } from "#ports.ts";

const MOST_REMEMBERED = 10_000;

/** For how long it does so. Much shorter than an unused list stays on record (retention.ts). */
const REMEMBERED_MS = 600_000;

export type NameLists = ReturnType<typeof nameLists>;
type Lists = readonly (NameList | undefined)[];

export const listsOf = (decision: Decision | undefined) => [decision?.allowed, decision?.blocked];

interface KnownList {
  readonly digest: string;
  readonly isUnused: number | boolean;
}

const KNOWN = sql.statement<KnownList>`
  SELECT digest, unused_since IS NOT NULL AS "isUnused" FROM blocked_lists
  WHERE tenant = $tenant AND ${sql.among("digest", "$1")}`;
const addList = sql.insertRow("blocked_lists", "digest", {
  values: { id: sql.nextIn("blocked_lists", "id") },
  tail: "ON CONFLICT (tenant, digest) DO NOTHING",
});
const USE = sql.statement<KnownList>`
  UPDATE blocked_lists SET unused_since = NULL WHERE tenant = $tenant AND ${sql.among("digest", "$1")} RETURNING digest`;
const ADD_NAMES = sql.statement`
  INSERT INTO blocked_names (tenant, list, namespace) SELECT tenant, id, value FROM blocked_lists, ${sql.listIn("$2")}
  WHERE tenant = $tenant AND digest = $1 ON CONFLICT DO NOTHING`;

export function nameLists({ rows, reserve }: sql.Database) {
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

  /** In the order of their digests: transactions that take them in different ones would deadlock. */
  async function missingOf(lists: Lists): Promise<readonly NameList[]> {
    forgetRegularly();
    const missing = new Map<string, NameList>();
    for (const list of lists) {
      if (list !== undefined && list.names.length > 0 && !onRecord.has(list.digest)) missing.set(list.digest, list);
    }
    if (missing.size === 0) return [];
    const found = await rows(KNOWN([...missing.keys()]));
    const unused = found.filter(({ isUnused }) => isUnused).map(({ digest }) => digest);
    const known = found.filter(({ isUnused }) => !isUnused);
    // A list that is about to be used is not unused any more. It may just have been removed.
    const used = unused.length === 0 ? [] : await reserve.change(USE(unused));
    for (const { digest } of [...known, ...used]) {
      missing.delete(digest);
      remember(digest);
    }
    return [...missing.values()].sort((a, b) => (a.digest < b.digest ? -1 : 1));
  }

  /** Records what uses the lists, and those of them that are not on record: their statements go first in its transaction. */
  async function keepWith(lists: Lists, record: (first: readonly sql.Statement[]) => Promise<void>): Promise<void> {
    const missing = await missingOf(lists);
    await record(missing.flatMap(({ digest, names }) => [addList({ digest }), ADD_NAMES(digest, names)]));
    for (const { digest } of missing) remember(digest);
  }

  return {
    keepWith,
    /** Records the lists that are not on record. They are long, so known ones are not sent. */
    keep: (lists: Lists) =>
      keepWith(lists, async (first) => void (first.length > 0 && (await reserve.write(...first)))),
  };
}
