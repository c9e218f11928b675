// A reset: every memory is forgotten, and a seed and its policy take their place.
import { type AccessRule, policyFrom } from "#core/gate/policy.ts";
import type { MemoryOnRecord } from "#core/memory.ts";
import type { BlobLease, RecordLimits, Stamp } from "#ports.ts";
import { leaseStatements } from "./anchoring/leases.ts";
import { capturedEvent, resetEvents } from "./logs/events.ts";
import { memoryStatements } from "./memories/memory-statements.ts";
import { type Name, nameStatements, namesOfFact, namesOfRule } from "./memories/names.ts";
import { namesOfSettings } from "./memories/namespaces.ts";
import { policyChanges } from "./policy/policy.ts";
import { policyStatements } from "./policy/policy-statements.ts";
import { LOCK_MEMORIES, type Results } from "./sql.ts";

/** What a reset leaves on record. All of it can be sent to a worker. */
export interface Reset {
  readonly memories: readonly MemoryOnRecord[];
  readonly rules: readonly AccessRule[];
  readonly stamp: Stamp;
  readonly leases: readonly BlobLease[];
}

export function planReset({ memories: seed, rules, stamp, leases }: Reset, limits: RecordLimits) {
  const policy = policyFrom(rules);
  const taken = [...seed.flatMap(namesOfFact), ...rules.flatMap(namesOfRule)];
  const planned = (settings: readonly Name[]) =>
    policyChanges(limits)(
      {
        changed: policyStatements.changed(policy),
        after: () => [...leaseStatements.put(leases), ...nameStatements.replace([...taken, ...settings])],
        events: () => [...resetEvents(stamp), ...seed.map(capturedEvent)],
      },
      stamp,
    );
  return {
    /** To run before the fence is taken: to forget millions of memories takes long, and the fence holds up every answer. */
    before: [
      LOCK_MEMORIES,
      ...memoryStatements.forgetAll(stamp),
      ...memoryStatements.add(seed, limits),
      ...memoryStatements.pin(seed, stamp),
    ],
    reads: [namesOfSettings, ...planned([]).reads],
    decide: (rows: Results) => planned(rows[0] as Name[]).decide(rows),
  };
}
