// Sends the policy in pieces: it may have a hundred thousand leaves. The leaves are a persistent map, so what is sent is
// the policy of one moment, however long the client takes.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AccessRule } from "#core/gate/policy.ts";
import { policyOf } from "#core/gate/policy-leaves.ts";
import { governs } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { VersionedLeaves } from "#service/policy/live-policy.ts";
import { jsonReply } from "./reply.ts";
import { type ResponseWriter, sendPieces } from "./response-writer.ts";

/** In characters. Each piece is a write, and other requests run in between. */
const PIECE = 32_768;

type Leaves = readonly AccessRule[];

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
    const shown = isFiltered ? chunk.filter(({ namespace }) => governs(principal, namespace)) : chunk;
    const first = shown[0]?.agentId;
    if (first === undefined) continue;
    if (first === agent) text += ",";
    else text += `${agent === undefined ? "" : "},"}${JSON.stringify(first)}:{`;
    text += isFiltered ? membersOf(shown) : keptMembersOf(chunk);
    agent = shown.at(-1)?.agentId;
    if (text.length < PIECE) continue;
    yield text;
    text = "";
    // A client that reads fast would otherwise keep all others waiting.
    await nextTurn();
  }
  yield `${text}${agent === undefined ? "" : "}"}},"version":${version}}`;
}

/** A chunk is never changed: a change of the policy replaces one of them. So its text is made once. */
const textOfChunk = new WeakMap<Leaves, string>();

function keptMembersOf(chunk: Leaves): string {
  const text = textOfChunk.get(chunk) ?? membersOf(chunk);
  textOfChunk.set(chunk, text);
  return text;
}

/** The members of the first agent's object, and the objects of further agents; the last one stays open. */
function membersOf(leaves: Leaves): string {
  let agent = leaves[0]?.agentId;
  const members = leaves.map(({ agentId, namespace, allowed }, i) => {
    const begin = agentId === agent ? (i === 0 ? "" : ",") : `},${JSON.stringify(agentId)}:{`;
    agent = agentId;
    return `${begin}${JSON.stringify(namespace)}:${allowed}`;
  });
  return members.join("");
}
