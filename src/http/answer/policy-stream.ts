// Sends the policy in pieces: it may have a hundred thousand leaves. The leaves are a persistent map, so what is sent is
// the policy of one moment, however long the client takes.
import type { VersionedLeaves } from "#service/policy/live-policy.ts";
import { type ResponseWriter, sendPieces } from "./response-writer.ts";

/** In characters. Each piece is a write, and other requests run in between. */
const PIECE = 32_768;

export function sendPolicy(response: ResponseWriter, policy: VersionedLeaves): Promise<void> {
  return sendPieces(response, "application/json", jsonOf(policy));
}

async function* jsonOf({ leaves, version }: VersionedLeaves): AsyncGenerator<string> {
  let text = '{"policy":{';
  let agent: string | undefined;
  for (const chunk of leaves) {
    for (const { agentId, namespace, allowed } of chunk) {
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
