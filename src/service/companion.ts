// The health companion: the chat's story with another persona. When a namespace was closed to it, its answer opens by
// saying so, in the service's own words; when nothing is left that it may use, that is the whole answer.
import { COMPANION, COMPANION_AGENT, closedDoors } from "../core/persona.ts";
import { renderPrompt } from "../core/prompt.ts";
import type { CompleteOptions } from "../ports.ts";
import { type Answered, issue } from "./chat.ts";
import { checkBlobs } from "./check-blobs.ts";
import type { Deps } from "./deps.ts";

const BREAK = "\n\n";

export async function companion(
  deps: Deps,
  { query }: { query: string },
  options: CompleteOptions = {},
): Promise<Answered> {
  const agentId = COMPANION_AGENT;
  const view = await deps.gatekeeper.recall(agentId, query);
  const opening = view.revoked.length > 0 ? closedDoors(view.revoked) : undefined;
  if (opening !== undefined) options.onText?.(view.memories.length === 0 ? opening : `${opening}${BREAK}`);
  if (opening !== undefined && view.memories.length === 0) {
    return issue(deps, { agentId, view, used: [], answer: opening });
  }

  const prompt = renderPrompt({ persona: COMPANION, memories: view.memories, query });
  const [{ text, model }, used] = await Promise.all([
    deps.model.complete(prompt, options),
    checkBlobs(deps.blobs, view.memories),
  ]);
  const answer = opening === undefined ? text : `${opening}${BREAK}${text}`;
  return issue(deps, { agentId, view, used, asked: { prompt, model }, answer });
}
