import type { Invocation } from "#cli/invocation.ts";
import { openClient } from "#cli/shared/service-client.ts";

/** Allows or revokes. The policy that comes back can be long, so only its version is shown. */
export async function setAccess(
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
