// The attempts under way in this process. Those whose read set is no longer allowed, or current, are aborted at once.
// The fence does not depend on this: it only spares a model's work and the caller's time.
import { runInSlices } from "#async/run-in-slices.ts";
import { isAllowed } from "#core/gate/policy.ts";
import type { ReadSet, RecordStore } from "#ports.ts";
import type { PolicyMirror } from "#service/policy/policy-mirror.ts";

interface InFlightAttempt {
  readonly readSet: ReadSet;
  onStale(): void;
}

/** In one turn of the event loop. */
const ABORTED_AT_ONCE = 50;

const NONE: ReadonlySet<string> = new Set();

export type InFlightAttempts = ReturnType<typeof watchInFlightAttempts>;

export function watchInFlightAttempts(
  { policy, memories }: Pick<RecordStore, "policy" | "memories">,
  mirror: Pick<PolicyMirror, "fenceState" | "lastOf">,
) {
  const attempts = new Set<InFlightAttempt>();

  async function abortStale(): Promise<void> {
    if (attempts.size === 0) return;
    const { removals } = await mirror.fenceState();
    const asked = new Set([...attempts].filter(({ readSet }) => readSet.removals !== removals));
    const ids = new Set([...asked].flatMap(({ readSet }) => readSet.memoryIds));
    const current = ids.size === 0 ? NONE : await memories.current([...ids]);
    const isStale = (attempt: InFlightAttempt) => {
      const { agentId, namespaces, memoryIds } = attempt.readSet;
      const policy = mirror.lastOf(agentId);
      return (
        !namespaces.every((namespace) => isAllowed(policy, agentId, namespace)) ||
        // Nothing was asked about the memories of an attempt that began meanwhile.
        (asked.has(attempt) && !memoryIds.every((memoryId) => current.has(memoryId)))
      );
    };
    await runInSlices(abortWhere(isStale));
  }

  function* abortWhere(isStale: (attempt: InFlightAttempt) => boolean): Generator<void, void> {
    let aborted = 0;
    for (const attempt of [...attempts]) {
      if (!attempts.has(attempt) || !isStale(attempt)) continue;
      attempt.onStale();
      aborted += 1;
      if (aborted % ABORTED_AT_ONCE === 0) yield;
    }
  }

  // Whoever changed the policy is answered first. When the records do not answer, the fence lets nothing pass either.
  policy.onChange(() => void setImmediate(() => void abortStale().catch(() => undefined)));

  return {
    /** Returns what removes the attempt again. */
    add(attempt: InFlightAttempt): () => void {
      attempts.add(attempt);
      return () => void attempts.delete(attempt);
    },
    count: (): number => attempts.size,
  };
}
