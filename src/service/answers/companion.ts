// The health companion: the story of chat.ts with another persona. Its answer begins in the service's own words, which no
// model can leave out: in a possible emergency with the advice to call for help, and when somebody closed a namespace to
// it, by saying so. When a namespace was closed and nothing is left that it may use, the preface is the whole answer.
import { COMPANION_AGENT } from "#core/identity/principal.ts";
import { possibleEmergency } from "#core/prompt/emergency.ts";
import { revocationNotice } from "#core/prompt/template.ts";
import type { Call } from "#service/call.ts";
import { type Answerer, issueWithoutMemories } from "#service/receipts/issue-receipt.ts";
import type { SizesOf } from "./answered.ts";
import type { Caller } from "./caller.ts";
import { answerFrom } from "./chat.ts";

const PARAGRAPH_BREAK = "\n\n";

export function companion(
  tenant: Answerer,
  { query, sizesOf, pace }: { query: string; sizesOf?: SizesOf | undefined; pace?: "reader" | undefined },
  caller: Caller,
  call?: Call,
): Promise<void> {
  return tenant.attempts.run(caller, async ({ recall, releaseWithoutMemories }) => {
    const recalled = await recall(COMPANION_AGENT, query);
    const advice = possibleEmergency(query)?.advice;
    const notice = recalled.revoked.length > 0 ? revocationNotice(recalled.revoked) : undefined;
    const paragraphs = [advice, notice].filter((paragraph) => paragraph !== undefined);
    if (notice !== undefined && recalled.memories.length === 0)
      return releaseWithoutMemories(
        await issueWithoutMemories(tenant, recalled, paragraphs.join(PARAGRAPH_BREAK), call),
        sizesOf,
      );

    const preface = paragraphs.map((paragraph) => `${paragraph}${PARAGRAPH_BREAK}`).join("");
    const template = advice === undefined ? "companion/1" : "companion-urgent/1";
    await answerFrom(tenant, recalled, { template, preface, sizesOf, atReadersPace: pace === "reader" }, call);
  });
}
