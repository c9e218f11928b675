import type { AccessRule } from "#core/gate/policy.ts";
import type { FeedCursor, Snapshot } from "#ports.ts";
import { type Counters, readCounters } from "./counters.ts";
import { type Database, ONE_MOMENT } from "./database.ts";
import { CHANGES_A_READ, type ChangeRow, changesSince, toChange } from "./memories.ts";
import { readPolicyUnless, toPolicy } from "./policy.ts";

/** What has changed since the cursor, as of one moment. One statement when nothing has, which is the usual case. */
export async function readSnapshot(database: Database, cursor: FeedCursor): Promise<Snapshot> {
  const [now] = await database.run<Counters>(readCounters);
  if (now?.memory === cursor.position && now.policy === cursor.policyVersion) {
    return { changes: [], position: now.memory, complete: true, policyVersion: now.policy };
  }
  const [counters, rows, rules] = (await database.together(
    [readCounters, changesSince(cursor.position), readPolicyUnless(cursor.policyVersion)],
    { begin: ONE_MOMENT },
  )) as [Counters[], ChangeRow[], AccessRule[]];
  const { memory, policy: policyVersion } = counters[0] as Counters;
  const changes = rows.map(toChange);
  const complete = changes.length < CHANGES_A_READ;
  const position = complete ? memory : (changes.at(-1)?.sequence ?? cursor.position);
  const read = { changes, position, complete, policyVersion };
  return policyVersion === cursor.policyVersion ? read : { ...read, policy: toPolicy(rules) };
}
