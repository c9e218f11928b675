import type { OnCommit } from "#adapters/records/shared/database/commit-observer.ts";
import type { Metrics } from "#ports.ts";

export function measuredCommits(metrics: Pick<Metrics, "observe">): OnCommit {
  return (writes, seconds) => {
    metrics.observe("commitWrites", writes);
    metrics.observe("commitDuration", seconds);
  };
}
