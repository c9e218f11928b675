// The story of an answer: gate, prompt, model, blob checks, receipt, release. What the gate blocks is in none of them.
// A revoke that arrives meanwhile is final for this answer, too: see attempts.ts.
import type { Call } from "#service/call.ts";
import { type Answerer, beginReceipt, issueReceipt } from "#service/receipts/issue-receipt.ts";
import type { SizesOf } from "./answered.ts";
import type { Caller } from "./caller.ts";
import { checkBlobs } from "./check-blobs.ts";

export function chat(
  tenant: Answerer,
  { agentId, query, sizesOf }: { agentId: string; query: string; sizesOf?: SizesOf | undefined },
  caller: Caller,
  call?: Call,
): Promise<void> {
  return tenant.attempts.run(caller, async ({ recall }) => {
    const recalled = await recall(agentId, query);
    const [asked, checks] = await Promise.all([
      recalled.ask({
        template: "assistant/1",
        sizesOf,
        begin: (prompt) => beginReceipt(tenant, recalled, prompt, call),
      }),
      checkBlobs(tenant.blobs, recalled.memories),
    ]);
    await recalled.release(await issueReceipt(tenant, recalled, { answer: asked.text, checks, asked }, call));
  });
}
