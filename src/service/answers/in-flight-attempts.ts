// The attempts that are under way in this process. When the policy changes, those that use what it took away are given
// up at once. The fences do not depend on this: it only spares a model's work and the caller's time.
import { isAllowed, type Policy } from "#core/gate/policy.ts";
import type { ReadSet, RecordStore } from "#ports.ts";
import type { Gatekeeper } from "./gatekeeper.ts";

interface UnderWay {
  readonly sight: ReadSet;
  giveUp(): void;
}

export interface InFlight {
  /** Answers with what ends the watch. */
  add(attempt: UnderWay): () => void;
}

export function watchInFlight(records: Pick<RecordStore, "policy">, gatekeeper: Gatekeeper): InFlight {
  const attempts = new Set<UnderWay>();

  async function look(): Promise<void> {
    if (attempts.size === 0) return;
    const policy = await gatekeeper.policy();
    for (const { sight, giveUp } of attempts) if (!stillAllowed(policy, sight)) giveUp();
  }

  // Whoever changed the policy is answered first. When the records do not answer, the fences let nothing pass either.
  records.policy.onChange(() => void setImmediate(() => void look().catch(() => undefined)));

  return {
    add(attempt) {
      attempts.add(attempt);
      return () => void attempts.delete(attempt);
    },
  };
}

function stillAllowed(policy: Policy, { agentId, namespaces }: ReadSet): boolean {
  return namespaces.every((namespace) => isAllowed(policy, agentId, namespace));
}
