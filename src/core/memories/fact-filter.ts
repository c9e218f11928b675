// What a caller asks for of all that it may read: one definition. It is decided before anything is ranked.
import { isWithin } from "#core/gate/policy.ts";
import { type Memory, type Metadata, spanOf } from "#core/memory.ts";

/** A field that is left out lets all pass. */
export interface FactFilter {
  readonly namespacePrefix?: string | undefined;
  readonly sourceAgent?: string | undefined;
  /** Dates or times. A memory that does not say when its fact holds does not pass. */
  readonly occurredFrom?: string | undefined;
  readonly occurredTo?: string | undefined;
  /** Compared as texts, so that a URL can name a number. */
  readonly metadata?: Metadata | undefined;
}

export interface RecallFilters extends FactFilter {
  /** What was current at this time, and is not forgotten. The gate is that of now. */
  readonly asOf?: string | undefined;
  /** Pinned memories are given in any case. */
  readonly minRelevance?: number | undefined;
}

/** Those that were given, as they were given; undefined if none was. A receipt commits to them. */
export function givenFilters({ asOf, minRelevance, ...filter }: RecallFilters): RecallFilters | undefined {
  const given = Object.entries({ ...factFilterOf(filter), asOf, minRelevance }).filter(([, one]) => one !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

export function passes(filter: FactFilter, memory: Filtered): boolean {
  const { namespacePrefix, sourceAgent, metadata = {} } = filter;
  if (!isWithin(memory.namespace, namespacePrefix)) return false;
  if (sourceAgent !== undefined && memory.sourceAgent !== sourceAgent) return false;
  return occurredWithin(filter, memory.occurredAt) && Object.entries(metadata).every(isIn(memory.metadata));
}

type Filtered = Pick<Memory, "namespace" | "sourceAgent" | "occurredAt" | "metadata">;

/** Whether the memory itself must be read to tell. Namespaces and source agents are columns of their own. */
export const readsDetails = ({ occurredFrom, occurredTo, metadata }: FactFilter): boolean =>
  occurredFrom !== undefined || occurredTo !== undefined || metadata !== undefined;

export const factFilterOf = ({ namespacePrefix, sourceAgent, occurredFrom, occurredTo, metadata }: FactFilter) => ({
  namespacePrefix,
  sourceAgent,
  occurredFrom,
  occurredTo,
  metadata,
});

/** A date is a whole day: it passes if any of it is within. */
function occurredWithin({ occurredFrom, occurredTo }: FactFilter, occurredAt: string | undefined): boolean {
  if (occurredFrom === undefined && occurredTo === undefined) return true;
  if (occurredAt === undefined) return false;
  const { first, last } = spanOf(occurredAt);
  return (
    (occurredFrom === undefined || last >= spanOf(occurredFrom).first) &&
    (occurredTo === undefined || first <= spanOf(occurredTo).last)
  );
}

const isIn =
  (metadata: Metadata = {}) =>
  ([name, value]: [string, Metadata[string]]): boolean =>
    Object.hasOwn(metadata, name) && String(metadata[name]) === String(value);

/** Whether a memory was current at a time, whatever became of it since. */
export const wasCurrent = ({ createdAt }: Pick<Memory, "createdAt">, supersededAt: string | undefined, at: string) =>
  createdAt <= at && (supersededAt === undefined || supersededAt > at);
