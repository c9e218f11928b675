import type { Look } from "./fsck.ts";

/** The leaves of the policy are what the change log adds up to, and its versions are all there, none twice. */
export async function checkPolicy({ rows, counters, tell }: Look): Promise<void> {
  const leaves = new Map<string, number>();
  let last = 0;
  for await (const { version, agentId, namespace, was, became } of rows("change")) {
    if (version !== last && version !== last + 1) tell("policy", "", missing(last + 1, version - 1));
    last = version;
    const leaf = nameOf(agentId, namespace);
    const before = leaves.get(leaf) ?? null;
    if (was !== before)
      tell("policy", leaf, `version ${version} changes it from ${said(was)}, and it was ${said(before)}`);
    if (became === null) leaves.delete(leaf);
    else leaves.set(leaf, became);
  }
  if (last !== counters.policy)
    tell("policy", "", `its version is ${counters.policy}, and that of its last change ${last}`);

  for await (const { agentId, namespace, allowed } of rows("leaf")) {
    const leaf = nameOf(agentId, namespace);
    const logged = leaves.get(leaf) ?? null;
    if (logged !== allowed) tell("policy", leaf, `it is ${said(allowed)}, and the change log says ${said(logged)}`);
    leaves.delete(leaf);
  }
  for (const [leaf, logged] of leaves)
    tell("policy", leaf, `there is no leaf, and the change log says ${said(logged)}`);
}

const nameOf = (agentId: string, namespace: string): string => JSON.stringify([agentId, namespace]);
const said = (leaf: number | null): string => (leaf === null ? "no leaf" : leaf === 1 ? "allowed" : "revoked");

function missing(first: number, end: number): string {
  return first >= end
    ? `version ${first} is not in the change log`
    : `the versions ${first} to ${end} are not in the change log`;
}
