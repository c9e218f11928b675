// Sends the policy in pieces: it may have a hundred thousand rules. The rules are a persistent map, so what is sent is
// the policy of one moment, however long the client takes.
import { setImmediate as nextTurn } from "node:timers/promises";
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import type { AccessRule } from "#core/gate/policy.ts";
import { policyOf } from "#core/gate/policy-rules.ts";
import { governs } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { Exchange } from "#http/exchange.ts";
import { prefersMinimal } from "#http/request/read-input.ts";
import type { VersionedRules } from "#service/policy/policy-mirror.ts";
import { jsonReply, minimalReply } from "./reply.ts";
import { sendPieces } from "./response-writer.ts";

/** In characters. Each piece is a write, and other requests run in between. */
const PIECE = 32_768;
/** How many chunks are looked at before other requests run, when few of their rules are sent. */
const CHUNKS_AT_ONCE = 64;

type Rules = readonly AccessRule[];

/** An agent gets its own row, the admin of namespaces the rules of these, and who prefers a minimal reply the version. */
export function sendPolicy(
  { request, response }: Pick<Exchange, "request" | "response">,
  policy: VersionedRules,
  principal: Principal,
): Promise<void> {
  if (prefersMinimal(request)) return response.send(minimalReply({ version: policy.version }));
  if (principal.role !== "agent") return sendPieces(response, "application/json", jsonOf(policy, principal));
  const { rules, version } = policy;
  return response.send(jsonReply({ policy: policyOf(rules, principal.agentId), version }));
}

async function* jsonOf({ rules, version }: VersionedRules, principal: Principal): AsyncGenerator<string> {
  const view = principal.role === "namespace-admin" ? JSON.stringify(principal.namespaces) : WHOLE;
  let text = '{"policy":{';
  let agent: string | undefined;
  let looked = 0;
  for (const chunk of rules) {
    const { first, last, members } = shownOf(chunk, view, principal);
    if (first !== undefined) {
      if (first === agent) text += ",";
      else text += `${agent === undefined ? "" : "},"}${JSON.stringify(first)}:{`;
      text += members;
      agent = last;
    }
    looked += 1;
    if (text.length < PIECE && looked < CHUNKS_AT_ONCE) continue;
    if (text !== "") yield text;
    text = "";
    looked = 0;
    // A client that reads fast would otherwise keep all others waiting.
    await nextTurn();
  }
  yield `${text}${agent === undefined ? "" : "}"}},"version":${version}}`;
}

/** The view of those who see every rule. Others have one for each list of namespaces. */
const WHOLE = "";
const MOST_VIEWS = 64;

/** A chunk is never changed, only replaced. So what is sent of it is made once for each view. */
const viewsOfChunk = new WeakMap<Rules, Map<string, ReturnType<typeof asShown>>>();

function shownOf(chunk: Rules, view: string, principal: Principal) {
  const rules = () => (view === WHOLE ? chunk : chunk.filter(({ namespace }) => governs(principal, namespace)));
  const views = getOrInsert(viewsOfChunk, chunk, () => new Map());
  return getOrInsert(views, view, () => asShown(rules()), MOST_VIEWS);
}

/** The members of the first agent's object, and the objects of further agents, of which the last one stays open. */
function asShown(rules: Rules) {
  const first = rules[0]?.agentId;
  let agent = first;
  const members = rules.map(({ agentId, namespace, allowed }, i) => {
    const begin = agentId === agent ? (i === 0 ? "" : ",") : `},${JSON.stringify(agentId)}:{`;
    agent = agentId;
    return `${begin}${JSON.stringify(namespace)}:${allowed}`;
  });
  return { first, last: agent, members: members.join("") };
}
