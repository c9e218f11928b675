import type { AccessRule } from "#core/gate/policy.ts";
import type { Known, Snapshot } from "#ports.ts";
import { type Counters, readCounters } from "./counters.ts";
import { type Database, ONE_MOMENT } from "./database.ts";
import { CHANGES_A_READ, type ChangeRow, changesSince, toChange } from "./memories.ts";
import { readPolicyUnless, toPolicy } from "./policy.ts";

/** What has changed since `known`, as of one moment. One statement when nothing has, which is the usual case. */
export async function readSnapshot(database: Database, known: Known): Promise<Snapshot> {
  const [now] = await database.run<Counters>(readCounters);
  if (now?.memory === known.position && now.policy === known.policyVersion) {
    return { changes: [], position: now.memory, complete: true, policyVersion: now.policy };
  }
  const [counters, rows, rules] = (await database.together(
    [readCounters, changesSince(known.position), readPolicyUnless(known.policyVersion)],
    { begin: ONE_MOMENT },
  )) as [Counters[], ChangeRow[], AccessRule[]];
  const { memory, policy: policyVersion } = counters[0] as Counters;
  const changes = rows.map(toChange);
  const complete = changes.length < CHANGES_A_READ;
  const position = complete ? memory : (changes.at(-1)?.sequence ?? known.position);
  const read = { changes, position, complete, policyVersion };
  return policyVersion === known.policyVersion ? read : { ...read, policy: toPolicy(rules) };
}
