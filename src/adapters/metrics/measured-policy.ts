// The policy's records with the fence and revokes measured.
import type { Metrics, PolicyRecords } from "#ports.ts";

export function measuredPolicy(policy: PolicyRecords, metrics: Metrics): PolicyRecords {
  let running = 0;
  metrics.gauge("fenceActions", () => running);
  const secondsSince = (began: number) => (performance.now() - began) / 1_000;

  return {
    ...policy,

    async set(rule, stamp) {
      const began = performance.now();
      const set = await policy.set(rule, stamp);
      if (!rule.allowed) metrics.observe("revokeDuration", secondsSince(began));
      return set;
    },

    async passFence(readSet, action) {
      const asked = performance.now();
      let began: number | undefined;
      let outcome = "failed";
      try {
        const hasRun = await policy.passFence(readSet, (...given) => {
          began = performance.now();
          running += 1;
          return action(...given);
        });
        outcome = hasRun ? "passed" : "withheld";
        return hasRun;
      } finally {
        metrics.add("fencePassages", outcome);
        if (began !== undefined) {
          running -= 1;
          metrics.observe("fenceWait", (began - asked) / 1_000);
          metrics.observe("fenceHold", secondsSince(began));
        }
      }
    },
  };
}
