// Makes every action behind the fence last longer, so that the loss of a database session meets actions that are under
// way. An action waits before it begins to send.
import { setTimeout as delay } from "node:timers/promises";
import type { DeploymentRecords } from "#ports.ts";

export function stretchActions(records: DeploymentRecords, longestMs: number): DeploymentRecords {
  return {
    ...records,
    policy: {
      ...records.policy,
      passFence: (readSet, action) =>
        records.policy.passFence(readSet, async (signal) => {
          await delay(Math.random() * longestMs, undefined, { signal }).catch(() => undefined);
          await action(signal);
        }),
    },
  };
}
