import { keyOf } from "#core/gate/policy.ts";
import { type LoggedChange, nextChainHash } from "#core/gate/policy-chain.ts";
import type { RecordRows } from "#ports.ts";
import { type FsckContext, groupsOf } from "./context.ts";

/** Replays the change log: it must add up to the rules of the policy, and hold every version once. */
export async function checkPolicy({ rows, counters, report }: FsckContext): Promise<void> {
  const rules = new Map<string, number>();
  let last = 0;
  for await (const { version, was, became, ...name } of rows("change")) {
    // A version may move past that of a gate on the ledger, in a change of no rule.
    const isMove = name.agentId === "" && name.namespace === "" && was === null && became === null;
    if (version !== last && version !== last + 1 && !isMove)
      report("policy", "", missingVersions(last + 1, version - 1));
    last = version;
    const rule = keyOf(name);
    const before = rules.get(rule) ?? null;
    if (was !== before)
      report("policy", rule, `version ${version} changes it from ${wordFor(was)}, but it was ${wordFor(before)}`);
    if (became === null) rules.delete(rule);
    else rules.set(rule, became);
  }
  if (last !== counters.policy)
    report("policy", "", `its version is ${counters.policy}, but its last change has version ${last}`);

  let total = 0;
  for await (const { allowed, ...name } of rows("rule")) {
    total += 1;
    const rule = keyOf(name);
    const logged = rules.get(rule) ?? null;
    if (logged !== allowed)
      report("policy", rule, `it is ${wordFor(allowed)}, but the change log says ${wordFor(logged)}`);
    rules.delete(rule);
  }
  if (total !== counters.policyRulesCounted)
    report("policy", "", `it has ${total} rules, but ${counters.policyRulesCounted} are counted for the limit`);
  for (const [rule, logged] of rules)
    report("policy", rule, `there is no rule, but the change log says ${wordFor(logged)}`);
}

const wordFor = (rule: number | null): string => (rule === null ? "no rule" : rule === 1 ? "allowed" : "revoked");

function missingVersions(first: number, end: number): string {
  return first >= end
    ? `version ${first} is not in the change log`
    : `the versions ${first} to ${end} are not in the change log`;
}

/** Derives the hash chain again from its first hash and the change log. */
export async function checkPolicyChain({ rows, counters, report }: FsckContext): Promise<void> {
  const hashes = rows("policyChain")[Symbol.asyncIterator]();
  const first = await hashes.next();
  if (first.done) return report("policy", "", "its hash chain has no first hash");
  let last = first.value;

  for await (const [version, changes] of groupsOf(rows("change"), (row) => row.version)) {
    if (version <= last.version) continue;
    const next = await hashes.next();
    if (next.done || next.value.version !== version) {
      report("policy", "", `version ${version} has no hash in the hash chain`);
      continue;
    }
    if (next.value.chainHash !== nextChainHash(last.chainHash, version, changes.map(toChange)))
      report("policy", "", `the hash of version ${version} does not follow from its changes`);
    last = next.value;
  }
  if (last.version !== counters.policy)
    report("policy", "", `its version is ${counters.policy}, but the last hash has version ${last.version}`);
  if (!(await hashes.next()).done) report("policy", "", "its hash chain has hashes that no change explains");
}

function toChange({ was, became, ...row }: RecordRows["change"]): LoggedChange {
  return { ...row, from: toBoolean(was), to: toBoolean(became) };
}

const toBoolean = (bit: number | null): boolean | null => (bit === null ? null : bit === 1);
