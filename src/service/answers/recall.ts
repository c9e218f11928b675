// Recall for a caller who brings their own model: the story of chat.ts without prompt and model. The memories are the
// answer, so they pass the same fence, and a receipt of them is on record before they are released.
import { PortcullisError } from "#core/errors.ts";
import { blockedFields } from "#core/receipt/blocked-list.ts";
import type { Deps } from "#service/deps.ts";
import type { RecalledMemories } from "./answered.ts";
import type { Caller } from "./caller.ts";
import { checkBlobs } from "./check-blobs.ts";
import { issueForMemories } from "./issue-receipt.ts";

interface Question {
  readonly agentId: string;
  readonly query: string;
  /** How many memories at most; left out, as many as an answer may use. */
  readonly limit?: number | undefined;
  /** False: the reply does not hold the receipt. It is on record all the same. */
  readonly receipt?: boolean | undefined;
}

export async function recall(
  deps: Deps,
  { agentId, query, limit, receipt: isWanted = true }: Question,
  caller: Caller<RecalledMemories>,
): Promise<void> {
  refuseAbove(deps.recallLimit, limit);
  return deps.attempts.run(caller, async (attempt) => {
    const recalled = await attempt.recall(agentId, query, limit);
    const { memories, blockedNamespaces } = recalled;
    const receipt = await issueForMemories(deps, recalled, await checkBlobs(deps.blobs, memories));
    await recalled.release({ memories, ...blockedFields(blockedNamespaces), ...(isWanted && { receipt }) });
  });
}

function refuseAbove(most: number, limit = most): void {
  if (limit <= most) return;
  throw new PortcullisError("invalid-request", "Some fields are not valid; `errors` lists them.", {
    fields: [{ pointer: "#/limit", detail: `must be at most ${most}, the RECALL_LIMIT of this service` }],
  });
}
