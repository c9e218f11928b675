// Names that are in use, by kind, each with its skeleton. Two names of a kind may not look alike, unless an admin allowed
// it, or both were on record before a version of Unicode that says so. A unique key on kind, skeleton and place holds it: a
// new name takes place 0, and only names that may look like another have further places.
import * as sql from "#adapters/records/shared/sql.ts";
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import type { WantedRule } from "#core/gate/policy.ts";
import type { Fact } from "#core/memory.ts";
import { ConfusableNameError, type NameKind, SKELETON_VERSION, skeletonOf } from "#core/names/confusable-name.ts";

export interface Name {
  readonly kind: NameKind;
  readonly name: string;
}

interface NameRow extends Name {
  readonly skeleton: string;
  readonly place: number;
}

export const namesOfFact = ({ namespace, sourceAgent }: Pick<Fact, "namespace" | "sourceAgent">): Name[] => [
  { kind: "namespace", name: namespace },
  { kind: "agent", name: sourceAgent },
];

/** A revoke takes no name into use: it must neither be refused nor keep a name from others. */
export const namesOfRule = ({ agentId, namespace, allowed }: WantedRule): Name[] =>
  allowed ? namesOfFact({ namespace, sourceAgent: agentId }).toReversed() : [];

/** Every capture has names that were used before, and a skeleton takes some microseconds. */
const MOST_SKELETONS = 10_000;
const skeletons = new Map<string, string>();

type NameWithSkeleton = Omit<NameRow, "place">;

function withSkeletons(names: readonly Name[]): NameWithSkeleton[] {
  const distinct = new Map(names.map(({ kind, name }) => [`${kind} ${name}`, { kind, name }]));
  return [...distinct.values()].map((each) => ({
    ...each,
    skeleton: getOrInsert(skeletons, each.name, () => skeletonOf(each.name), MOST_SKELETONS),
  }));
}

/** In an order in which all writers lock the rows. */
const inOrder = (names: readonly Name[]): NameWithSkeleton[] =>
  withSkeletons(names).sort(
    (a, b) => compare(a.kind, b.kind) || compare(a.skeleton, b.skeleton) || compare(a.name, b.name),
  );

/** Of names that look alike, the first in the order of code units has place 0. */
function withPlaces(names: readonly Name[]): NameRow[] {
  const rows: NameRow[] = [];
  for (const row of inOrder(names)) {
    const last = rows.at(-1);
    const isAlike = last?.kind === row.kind && last.skeleton === row.skeleton;
    rows.push({ ...row, place: isAlike ? last.place + 1 : 0 });
  }
  return rows;
}

export const HAS_SETTINGS = "(description IS NOT NULL OR retention_seconds IS NOT NULL OR encrypted)";

/** Every name that is in use, in every tenant, as `tenant`, `kind` and `name`. */
const NAMES_IN_USE = sql.statement<Name & { readonly tenant: number }>`
  SELECT tenant, 'namespace' AS kind, name FROM namespaces WHERE memories > 0 OR ${HAS_SETTINGS}
  UNION SELECT tenant, 'agent', name FROM source_agents
  UNION SELECT tenant, 'agent', agent_id FROM access WHERE allowed
  UNION SELECT tenant, 'namespace', namespace FROM access WHERE allowed`();

const NAME = "kind name skeleton";
const tail = "ON CONFLICT (tenant, kind, name) DO NOTHING";
const use = sql.insertRows<NameWithSkeleton>("names", NAME, { values: { place: "0" }, tail });
// The places of names that look alike have gaps.
const useAnyway = sql.insertRows<NameRow>("names", NAME, {
  values: {
    place: `:place + (
      SELECT coalesce(max(place) + 1, 0) FROM names WHERE tenant = $tenant AND kind = :kind AND skeleton = :skeleton)`,
  },
  further: "place:bigint",
  tail,
});
const add = sql.insertRows<NameRow>("names", `${NAME} place:bigint`);

export const nameStatements = {
  /** Takes the names into use. The transaction fails when one is new and looks like another. */
  use: (names: readonly Name[]) => use(inOrder(names)),
  /** The same for names that may look like others. */
  useAnyway: (names: readonly Name[]) => useAnyway(withPlaces(names)),
  /** Nobody else may take a name into use meanwhile. */
  replace: (names: readonly Name[]): sql.Statement[] => [
    { text: "DELETE FROM names WHERE tenant = $tenant", values: [] },
    ...add(withPlaces(names)),
  ],
};

/** Rejects when one of the names is new and looks like another, or like one of them that comes before it. */
export async function checkNames({ rows }: sql.Database, names: readonly Name[], cause?: unknown): Promise<void> {
  const text = `
    SELECT given.kind, given.name, given.skeleton, held.name AS held FROM ${sql.tableIn("$1", NAME)}
    LEFT JOIN names AS held ON held.tenant = $tenant AND held.kind = given.kind AND held.skeleton = given.skeleton AND held.place = 0
    WHERE NOT EXISTS (SELECT 1 FROM names AS own WHERE own.tenant = $tenant AND own.kind = given.kind AND own.name = given.name)
    ORDER BY given.place`;
  const found = await rows<NameWithSkeleton & { readonly held: string | null }>({
    text,
    values: [JSON.stringify(withSkeletons(names))],
  });
  const taken = new Map<string, string>();
  for (const { kind, name, skeleton, held } of found) {
    const key = `${kind} ${skeleton}`;
    const existing = held ?? taken.get(key);
    if (existing !== undefined) throw new ConfusableNameError({ kind, name }, existing, { cause });
    taken.set(key, name);
  }
}

/**
 * Runs `write`, which takes the names into use. If the key refused one, says which name it looks like, unless it may.
 * If none looks like it, two transactions brought the same name at once, and `write` runs again.
 */
export async function takingNames<T>(
  database: sql.Database,
  names: readonly Name[],
  write: () => Promise<T>,
  { allowConfusable = false } = {},
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!database.violates(error, "names_alike")) throw error;
    if (!allowConfusable) await checkNames(database, names, error);
    return write();
  }
}

export const readSkeletons = sql.statement<{ version: string }>`SELECT version FROM skeletons`();
export const areNewest = ([row]: readonly { readonly version: string }[]): boolean => row?.version === SKELETON_VERSION;

/** No replica changes the names meanwhile, and no other derives them too. */
const LOCK_NAMES = sql.chosen({
  sqlite: () => [],
  postgres: () => [{ text: "SET LOCAL lock_timeout = 0; LOCK TABLE names IN EXCLUSIVE MODE" }],
});

/** Reads the names in use, and derives their skeletons again unless that was done. */
export const newSkeletons = {
  reads: [LOCK_NAMES, readSkeletons, NAMES_IN_USE] as const,
  decide([, known, names]: sql.RowsOf<readonly [sql.Statement, typeof readSkeletons, typeof NAMES_IN_USE]>) {
    const replaced = [...Map.groupBy(names, ({ tenant }) => tenant)].flatMap(([tenant, all]) =>
      nameStatements.replace(all).map((each) => ({ ...each, tenant })),
    );
    const done = { text: "UPDATE skeletons SET version = $1", values: [SKELETON_VERSION] };
    return { statements: areNewest(known) ? [] : [...replaced, done], outcome: undefined };
  },
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
