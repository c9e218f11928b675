// The health companion: the chat's story with another persona. When a namespace was closed to it, its answer opens by
// saying so, in the service's own words; when nothing is left that it may use, that is the whole answer.
import { COMPANION, COMPANION_AGENT, revocationNotice } from "#core/prompt/persona.ts";
import { renderPrompt } from "#core/prompt/prompt.ts";
import type { Deps } from "#service/deps.ts";
import { type Caller, inAttempts } from "./attempt.ts";
import { issue } from "./chat.ts";
import { checkBlobs } from "./check-blobs.ts";

const BREAK = "\n\n";

export function companion(deps: Deps, { query }: { query: string }, caller: Caller): Promise<void> {
  const agentId = COMPANION_AGENT;
  return inAttempts(deps, caller, async (attempt) => {
    const view = await attempt.recall(agentId, query);
    const opening = view.revoked.length > 0 ? revocationNotice(view.revoked) : undefined;
    if (opening !== undefined && view.memories.length === 0) {
      attempt.say(opening);
      return attempt.release(await issue(deps, { agentId, view, used: [], answer: opening }));
    }

    if (opening !== undefined) attempt.say(`${opening}${BREAK}`);
    const prompt = renderPrompt({ persona: COMPANION, memories: view.memories, query });
    const [{ text, model }, used] = await Promise.all([attempt.ask(prompt), checkBlobs(deps.blobs, view.memories)]);
    const answer = opening === undefined ? text : `${opening}${BREAK}${text}`;
    await attempt.release(await issue(deps, { agentId, view, used, asked: { prompt, model }, answer }));
  });
}
