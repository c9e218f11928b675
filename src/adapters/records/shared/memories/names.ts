// Names that are in use, by kind, each with its skeleton. Two names of a kind may not look alike, unless both were on
// record before that rule. A unique key on kind, skeleton and place holds it: a new name takes place 0, and only names
// that were on record have other places.
import type { AccessRule } from "#core/gate/policy.ts";
import type { Fact } from "#core/memory.ts";
import type { NameKind } from "#core/names/confusable-name.ts";
import { skeletonOf } from "#core/names/skeleton.ts";
import { HAS_SETTINGS } from "./namespaces.ts";

export interface Name {
  readonly kind: NameKind;
  readonly name: string;
}

export interface NameRow extends Name {
  readonly skeleton: string;
  readonly place: number;
}

export const namesOfFact = ({ namespace, sourceAgent }: Pick<Fact, "namespace" | "sourceAgent">): Name[] => [
  { kind: "namespace", name: namespace },
  { kind: "agent", name: sourceAgent },
];

/** A revoke takes no name into use: it must neither be refused nor keep a name from others. */
export const namesOfRule = ({ agentId, namespace, allowed }: AccessRule): Name[] =>
  allowed
    ? [
        { kind: "agent", name: agentId },
        { kind: "namespace", name: namespace },
      ]
    : [];

/** Without repeats, and in an order in which all writers lock the rows. */
export function withSkeletons(names: readonly Name[]): Omit<NameRow, "place">[] {
  const distinct = new Map(names.map(({ kind, name }) => [`${kind} ${name}`, { kind, name }]));
  const rows = [...distinct.values()].map((each) => ({ ...each, skeleton: skeletonOf(each.name) }));
  return rows.sort((a, b) => compare(a.kind, b.kind) || compare(a.skeleton, b.skeleton) || compare(a.name, b.name));
}

/** All names on record. Of those that look alike, the first in the order of code units has place 0. */
export function withPlaces(names: readonly Name[]): NameRow[] {
  const rows: NameRow[] = [];
  for (const row of withSkeletons(names)) {
    const last = rows.at(-1);
    const isAlike = last?.kind === row.kind && last.skeleton === row.skeleton;
    rows.push({ ...row, place: isAlike ? last.place + 1 : 0 });
  }
  return rows;
}

/** Every name that is in use, as `kind` and `name`. */
export const NAMES_IN_USE = `
  SELECT 'namespace' AS kind, name FROM namespaces WHERE memories > 0 OR ${HAS_SETTINGS}
  UNION SELECT 'agent', name FROM source_agents
  UNION SELECT 'agent', agent_id FROM access WHERE allowed
  UNION SELECT 'namespace', namespace FROM access WHERE allowed`;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
