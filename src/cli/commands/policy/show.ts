import type { Run } from "#cli/invocation.ts";
import { openClient } from "#cli/shared/service-client.ts";
import { type Cell, table } from "#cli/terminal/table.ts";

const COLUMNS = [{ title: "AGENT" }, { title: "NAMESPACE" }, { title: "ACCESS", isWhole: true }] as const;

export const run: Run<"policy"> = async (invocation) => {
  const { values, out, say, json } = invocation;
  const { client, call } = await openClient(invocation);
  const { policy, version } = await client.getPolicy(call());
  const leaves = Object.entries(policy)
    .filter(([agent]) => values.agent === undefined || agent === values.agent)
    .flatMap(([agent, row]) => Object.entries(row).map(([namespace, allowed]) => ({ agent, namespace, allowed })))
    .filter(({ namespace }) => values.namespace === undefined || namespace === values.namespace);
  if (values.json) return void (await json({ policy: grouped(leaves), version }));
  const rows = leaves.map(({ agent, namespace, allowed }): Cell[] => [
    agent,
    namespace,
    allowed ? { text: "allowed", tone: "good" } : { text: "revoked", tone: "bad" },
  ]);
  await table(out, COLUMNS).add(rows);
  await say(`Policy version ${version}. What is not listed is blocked.`);
};

interface Leaf {
  readonly agent: string;
  readonly namespace: string;
  readonly allowed: boolean;
}

/** Names come from outside, so the objects have no prototype. */
function grouped(leaves: readonly Leaf[]): object {
  const policy: Record<string, Record<string, boolean>> = Object.create(null);
  for (const { agent, namespace, allowed } of leaves) {
    policy[agent] ??= Object.create(null) as Record<string, boolean>;
    policy[agent][namespace] = allowed;
  }
  return policy;
}
