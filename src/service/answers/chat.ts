// The story of an answer: gate, prompt, model, blob checks, receipt, release. What the gate blocks is in none of them.
// A revoke that arrives meanwhile is final for this answer, too: see attempts.ts.
import type { Deps } from "#service/deps.ts";
import type { Caller } from "./caller.ts";
import { checkBlobs } from "./check-blobs.ts";
import type { SizesOf } from "./gate-report.ts";
import { issueReceipt, openReceipt } from "./issue-receipt.ts";

export function chat(
  deps: Deps,
  { agentId, query, sizesOf }: { agentId: string; query: string; sizesOf?: SizesOf | undefined },
  caller: Caller,
): Promise<void> {
  return deps.attempts.run(caller, async ({ recall }) => {
    const recalled = await recall(agentId, query);
    const [asked, checks] = await Promise.all([
      recalled.ask({ template: "assistant/1", sizesOf, open: (prompt) => openReceipt(deps, recalled, prompt) }),
      checkBlobs(deps.blobs, recalled.memories),
    ]);
    await recalled.release(await issueReceipt(deps, recalled, { answer: asked.text, checks, asked }));
  });
}
