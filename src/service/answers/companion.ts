// The health companion: the story of chat.ts with another persona. When somebody closed a namespace to it, its answer
// opens by saying so, in the service's own words. When nothing is left that it may use, that is the whole answer.
import { COMPANION, COMPANION_AGENT, revocationNotice } from "#core/prompt/persona.ts";
import type { Deps } from "#service/deps.ts";
import type { Caller } from "./caller.ts";
import { checkBlobs } from "./check-blobs.ts";
import { issueReceipt, issueWithoutMemories } from "./issue-receipt.ts";

const PARAGRAPH_BREAK = "\n\n";

export function companion(deps: Deps, { query }: { query: string }, caller: Caller): Promise<void> {
  return deps.attempts.run(caller, async ({ recall, releaseWithoutMemories }) => {
    const recalled = await recall(COMPANION_AGENT, query);
    const notice = recalled.revoked.length > 0 ? revocationNotice(recalled.revoked) : undefined;
    if (notice !== undefined && recalled.memories.length === 0)
      return releaseWithoutMemories(await issueWithoutMemories(deps, recalled, notice));

    const opening = notice === undefined ? "" : `${notice}${PARAGRAPH_BREAK}`;
    if (opening !== "") recalled.say(opening);
    const [asked, checked] = await Promise.all([recalled.ask(COMPANION), checkBlobs(deps.blobs, recalled.memories)]);
    await recalled.release(await issueReceipt(deps, recalled, { answer: `${opening}${asked.text}`, checked, asked }));
  });
}
