import type { FsckContext } from "#service/operations/fsck/context.ts";

/** Replays the change log: it must add up to the leaves of the policy, and hold every version once. */
export async function checkPolicy({ rows, counters, report }: FsckContext): Promise<void> {
  const leaves = new Map<string, number>();
  let last = 0;
  for await (const { version, agentId, namespace, was, became } of rows("change")) {
    // A version may move past that of a gate on the ledger, in a change of no leaf.
    const isMove = agentId === "" && namespace === "" && was === null && became === null;
    if (version !== last && version !== last + 1 && !isMove)
      report("policy", "", missingVersions(last + 1, version - 1));
    last = version;
    const leaf = nameOf(agentId, namespace);
    const before = leaves.get(leaf) ?? null;
    if (was !== before)
      report("policy", leaf, `version ${version} changes it from ${wordFor(was)}, but it was ${wordFor(before)}`);
    if (became === null) leaves.delete(leaf);
    else leaves.set(leaf, became);
  }
  if (last !== counters.policy)
    report("policy", "", `its version is ${counters.policy}, but its last change has version ${last}`);

  let total = 0;
  for await (const { agentId, namespace, allowed } of rows("leaf")) {
    total += 1;
    const leaf = nameOf(agentId, namespace);
    const logged = leaves.get(leaf) ?? null;
    if (logged !== allowed)
      report("policy", leaf, `it is ${wordFor(allowed)}, but the change log says ${wordFor(logged)}`);
    leaves.delete(leaf);
  }
  if (total !== counters.leaves)
    report("policy", "", `it has ${total} leaves, but ${counters.leaves} are counted for the limit`);
  for (const [leaf, logged] of leaves)
    report("policy", leaf, `there is no leaf, but the change log says ${wordFor(logged)}`);
}

const nameOf = (agentId: string, namespace: string): string => JSON.stringify([agentId, namespace]);
const wordFor = (leaf: number | null): string => (leaf === null ? "no leaf" : leaf === 1 ? "allowed" : "revoked");

function missingVersions(first: number, end: number): string {
  return first >= end
    ? `version ${first} is not in the change log`
    : `the versions ${first} to ${end} are not in the change log`;
}
