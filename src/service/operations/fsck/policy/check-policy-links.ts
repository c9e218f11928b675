import type { LeafChange } from "#core/gate/policy.ts";
import { nextLink } from "#core/gate/policy-link.ts";
import type { RecordRows } from "#ports.ts";
import type { FsckContext } from "#service/operations/fsck/context.ts";

/** Derives the hash chain again from its first link and the change log. */
export async function checkPolicyLinks({ rows, counters, report }: FsckContext): Promise<void> {
  const links = rows("link")[Symbol.asyncIterator]();
  const first = await links.next();
  if (first.done) return report("policy", "", "its hash chain has no first link");
  let last = first.value;

  async function check(version: number, changes: readonly LeafChange[]): Promise<void> {
    if (version <= last.version) return;
    const next = await links.next();
    if (next.done || next.value.version !== version)
      return report("policy", "", `version ${version} has no link in the hash chain`);
    if (next.value.link !== nextLink(last.link, version, changes))
      report("policy", "", `the link of version ${version} does not follow from its changes`);
    last = next.value;
  }

  let version = 0;
  let changes: LeafChange[] = [];
  for await (const row of rows("change")) {
    if (row.version !== version) {
      await check(version, changes);
      changes = [];
    }
    version = row.version;
    changes.push(toChange(row));
  }
  await check(version, changes);
  if (last.version !== counters.policy)
    report("policy", "", `its version is ${counters.policy}, but the last link has version ${last.version}`);
  if (!(await links.next()).done) report("policy", "", "its hash chain has links that no change explains");
}

function toChange({ agentId, namespace, was, became }: RecordRows["change"]): LeafChange {
  return { agentId, namespace, from: toBoolean(was), to: toBoolean(became) };
}

const toBoolean = (bit: number | null): boolean | null => (bit === null ? null : bit === 1);
