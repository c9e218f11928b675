// Decides what captures change, one after another, as if each had a transaction of its own: a fact that is on record is not
// recorded again, one under the same key or that is named by `supersedes` becomes history, and one that has expired goes.
import { PortcullisError } from "#core/errors.ts";
import { idOfFact, type MemoryOnRecord } from "#core/memory.ts";

export interface Concerned {
  readonly memory: MemoryOnRecord;
  readonly hasExpired: boolean;
}

/** Changes that are made together: first the removals. What one phase adds, only a later one changes. */
interface Phase {
  readonly superseded: { readonly memory: MemoryOnRecord; readonly by: string; readonly agent: string }[];
  /** They have the key of a memory that is added. */
  readonly expired: MemoryOnRecord[];
  readonly added: MemoryOnRecord[];
  /** On record before, and as they are to be. */
  readonly changed: MemoryOnRecord[];
}

export interface CorrectionPlan {
  readonly phases: readonly Phase[];
  /**
   * Those of the given ones that change memories on record, or what the fence knows of them. An expired one passes no fence
   * any more, but an answer that did before may still be under way.
   */
  readonly changing: ReadonlySet<MemoryOnRecord>;
  /** By the memory that was given: the memory on record, or why it is refused. */
  readonly outcomes: ReadonlyMap<MemoryOnRecord, MemoryOnRecord | PortcullisError>;
}

/** `concerned` are all memories that the given ones name, repeat, or share a key with, oldest first. */
export function planCorrections(
  given: readonly MemoryOnRecord[],
  concerned: readonly Concerned[],
  now: string,
): CorrectionPlan {
  const state = new Map(concerned.map((each) => [each.memory.memoryId, { ...each, fact: idOfFact(each.memory) }]));
  const changing = new Set<MemoryOnRecord>();
  const outcomes = new Map<MemoryOnRecord, MemoryOnRecord | PortcullisError>();
  const phases: Phase[] = [];

  /** The current phase, or a new one when this one has touched one of these memories. */
  function phaseFor(memories: readonly MemoryOnRecord[]): Phase {
    const last = phases.at(-1);
    const ids = new Set(memories.map(({ memoryId }) => memoryId));
    const isTouched = [...(last?.added ?? []), ...(last?.changed ?? [])].some(({ memoryId }) => ids.has(memoryId));
    if (last !== undefined && !isTouched) return last;
    const next: Phase = { superseded: [], expired: [], added: [], changed: [] };
    phases.push(next);
    return next;
  }

  function planOne(memory: MemoryOnRecord): MemoryOnRecord | PortcullisError {
    const fact = idOfFact(memory);
    const of = state.get(memory.supersedes ?? "");
    const named = of?.hasExpired ? undefined : of?.memory;
    if (memory.supersedes !== undefined && named?.namespace !== memory.namespace) return notCurrent();
    const known = state.values().find((each) => !each.hasExpired && each.fact === fact)?.memory;
    const keyed = memory.key === undefined ? undefined : state.values().find((each) => hasKeyOf(memory, each.memory));
    const replaced = new Set([named, keyed?.hasExpired ? undefined : keyed?.memory]);
    const superseded = [...replaced].filter((each) => each !== undefined).filter((each) => each !== known);
    const [first] = superseded;
    const expired = known === undefined && keyed?.hasExpired ? [keyed.memory] : [];

    const recorded = known === undefined ? asNew(memory, first) : asChanged(known, memory, first);
    const isChanged = known !== undefined && !isSame(known, recorded);
    if (isChanged || superseded.length + expired.length > 0) changing.add(memory);
    if (known === undefined || isChanged || superseded.length > 0) {
      const phase = phaseFor([...superseded, ...expired, ...(known === undefined ? [] : [known])]);
      for (const each of superseded)
        phase.superseded.push({ memory: each, by: recorded.memoryId, agent: memory.sourceAgent });
      phase.expired.push(...expired);
      if (known === undefined) phase.added.push(recorded);
      else if (isChanged) phase.changed.push(recorded);
    }
    for (const { memoryId } of [...superseded, ...expired]) state.delete(memoryId);
    state.set(recorded.memoryId, {
      memory: recorded,
      fact,
      hasExpired: recorded.expiresAt !== undefined && recorded.expiresAt <= now,
    });
    return recorded;
  }

  for (const memory of given) outcomes.set(memory, planOne(memory));
  return { phases, changing, outcomes };
}

/** Of a memory that is to be superseded. It may never have been, and the caller is told the same. */
const notCurrent = () => new PortcullisError("not-found", "There is no memory with the id that `supersedes` names.");

const hasKeyOf = ({ namespace, sourceAgent, key }: MemoryOnRecord, other: MemoryOnRecord): boolean =>
  other.key === key && other.namespace === namespace && other.sourceAgent === sourceAgent;

const isSame = (a: MemoryOnRecord, b: MemoryOnRecord): boolean =>
  a.expiresAt === b.expiresAt && a.supersedes === b.supersedes;

const asNew = (memory: MemoryOnRecord, replaced: MemoryOnRecord | undefined): MemoryOnRecord =>
  replaced === undefined ? memory : { ...memory, supersedes: replaced.memoryId };

/** A repeat may say when the memory expires. The first memory that it took the place of stays linked. */
function asChanged(
  known: MemoryOnRecord,
  { expiresAt }: MemoryOnRecord,
  replaced: MemoryOnRecord | undefined,
): MemoryOnRecord {
  const isLinked = known.supersedes !== undefined || replaced === undefined;
  return {
    ...known,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(!isLinked && { supersedes: replaced.memoryId }),
  };
}
