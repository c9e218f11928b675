// Sends the policy in pieces: it may have a hundred thousand leaves. The leaves are a persistent map, so what is sent is
// the policy of one moment, however long the client takes.
import { policyOf } from "#core/gate/policy-leaves.ts";
import { governs } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { VersionedLeaves } from "#service/policy/live-policy.ts";
import { jsonReply } from "./reply.ts";
import { type ResponseWriter, sendPieces } from "./response-writer.ts";

/** In characters. Each piece is a write, and other requests run in between. */
const PIECE = 32_768;

/** An agent gets its own row, and the admin of namespaces the leaves of these. */
export function sendPolicy(response: ResponseWriter, policy: VersionedLeaves, principal: Principal): Promise<void> {
  if (principal.role !== "agent") return sendPieces(response, "application/json", jsonOf(policy, principal));
  const { leaves, version } = policy;
  return response.send(jsonReply({ policy: policyOf(leaves, principal.agentId), version }));
}

async function* jsonOf({ leaves, version }: VersionedLeaves, principal: Principal): AsyncGenerator<string> {
  const isFiltered = principal.role === "namespace-admin";
  let text = '{"policy":{';
  let agent: string | undefined;
  for (const chunk of leaves) {
    for (const { agentId, namespace, allowed } of chunk) {
      if (isFiltered && !governs(principal, namespace)) continue;
      if (agentId === agent) text += ",";
      else text += `${agent === undefined ? "" : "},"}${JSON.stringify(agentId)}:{`;
      text += `${JSON.stringify(namespace)}:${allowed}`;
      agent = agentId;
    }
    if (text.length < PIECE) continue;
    yield text;
    text = "";
  }
  yield `${text}${agent === undefined ? "" : "}"}},"version":${version}}`;
}
