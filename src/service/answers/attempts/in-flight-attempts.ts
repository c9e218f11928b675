// The attempts under way in this process. When the policy changes, those whose read set it no longer allows are aborted
// at once. The fence does not depend on this: it only spares a model's work and the caller's time.
import { isAllowed } from "#core/gate/policy.ts";
import type { ReadSet, RecordStore } from "#ports.ts";
import type { Gatekeeper } from "#service/answers/gatekeeper.ts";

interface InFlightAttempt {
  readonly readSet: ReadSet;
  onStale(): void;
}

export type InFlightAttempts = ReturnType<typeof watchInFlightAttempts>;

export function watchInFlightAttempts(policy: Pick<RecordStore["policy"], "onChange">, gatekeeper: Gatekeeper) {
  const attempts = new Set<InFlightAttempt>();

  async function abortStale(): Promise<void> {
    if (attempts.size === 0) return;
    await gatekeeper.policy();
    for (const { readSet, onStale } of attempts) {
      const { agentId, namespaces } = readSet;
      const policy = gatekeeper.lastPolicyOf(agentId);
      if (!namespaces.every((namespace) => isAllowed(policy, agentId, namespace))) onStale();
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
