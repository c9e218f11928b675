// Shows and changes the policy.
import type { Invocation, Runs } from "#cli/invocation.ts";
import { openClient } from "#cli/shared/service-client.ts";
import { type Cell, table, whole } from "#cli/terminal/table.ts";

export const runs: Runs<"policy" | "policy allow" | "policy revoke"> = {
  async policy(invocation) {
    const { values, out, say, json } = invocation;
    const { client, call } = await openClient(invocation);
    const { policy, version } = await client.getPolicy(call());
    const rules = Object.entries(policy)
      .filter(([agent]) => values.agent === undefined || agent === values.agent)
      .flatMap(([agent, row]) => Object.entries(row).map(([namespace, allowed]) => ({ agent, namespace, allowed })))
      .filter(({ namespace }) => values.namespace === undefined || namespace === values.namespace);
    if (values.json) return void (await json({ policy: grouped(rules), version }));
    const rows = rules.map(({ agent, namespace, allowed }): Cell[] => [
      agent,
      namespace,
      allowed ? { text: "allowed", tone: "good" } : { text: "revoked", tone: "bad" },
    ]);
    await table(out, COLUMNS).add(rows);
    await say(`Policy version ${version}. What is not listed is blocked.`);
  },

  "policy allow": (invocation) => setAccess(invocation, true),
  "policy revoke": (invocation) => setAccess(invocation, false),
};

const COLUMNS = ["AGENT", "NAMESPACE", whole("ACCESS")];

interface Rule {
  readonly agent: string;
  readonly namespace: string;
  readonly allowed: boolean;
}

/** Names come from outside, so the objects have no prototype. */
function grouped(rules: readonly Rule[]): object {
  const policy: Record<string, Record<string, boolean>> = Object.create(null);
  for (const { agent, namespace, allowed } of rules) {
    policy[agent] ??= Object.create(null) as Record<string, boolean>;
    policy[agent][namespace] = allowed;
  }
  return policy;
}

/** Allows or revokes. The policy that comes back can be long, so only its version is shown. */
async function setAccess(
  invocation: Invocation<"policy allow" | "policy revoke">,
  allowed: boolean,
): Promise<undefined> {
  const { positionals, values, print, json } = invocation;
  const [agentId = "", namespace = ""] = positionals;
  const { client, call } = await openClient(invocation);
  const { version } = await client.setAccess({ agentId, namespace, allowed }, call());
  if (values.json) return void (await json({ agentId, namespace, allowed, version }));
  const sentence = allowed ? `${agentId} may use ${namespace} now.` : `${namespace} is closed to ${agentId} now.`;
  await print(`${sentence} Policy version ${version}.`);
}
