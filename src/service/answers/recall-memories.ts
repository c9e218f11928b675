// Recall for a caller who brings their own model: the story of chat.ts without prompt and model. The memories are the
// answer, so they pass the same fence, and a receipt of them is on record before they are released.
import { countFitting } from "#core/collections/count-fitting.ts";
import { invalidFields } from "#core/errors.ts";
import type { Recall, RecallBounds } from "#core/gate/gate.ts";
import { askedText, type SearchedText } from "#core/recall/conversation.ts";
import { blockedFields } from "#core/receipt/receipt.ts";
import type { Call } from "#service/call.ts";
import { type Answerer, issueForMemories } from "#service/receipts/issue-receipt.ts";
import { weightOf } from "#service/scan-budget.ts";
import type { RatedMemory, RecalledMemories } from "./answered.ts";
import type { Caller } from "./caller.ts";
import { checkBlobs } from "./check-blobs.ts";

interface Question extends SearchedText, Omit<RecallBounds, "searched" | "isRated"> {
  readonly agentId: string;
  /** False: the reply does not hold the receipt. It is on record all the same. */
  readonly receipt?: boolean | undefined;
}

export async function recallMemories(
  tenant: Answerer,
  { agentId, query, messages, receipt: isWanted = true, ...bounds }: Question,
  caller: Caller<RecalledMemories>,
  call?: Call,
): Promise<void> {
  refuseAbove(tenant.settings.recallLimit, bounds.limit);
  return tenant.attempts.run(caller, async (attempt) => {
    const recalled = await attempt.recall(agentId, askedText(query, messages), {
      ...bounds,
      searched: { query, messages },
      isRated: true,
    });
    const memories = fitting(recalled.memories.filter(isRated));
    const omittedCount = recalled.memories.length - memories.length;
    const checks = await checkBlobs(tenant.blobs, memories);
    const { answered, onRecord } = await issueForMemories(tenant, { ...recalled, memories }, checks, call);
    const given = {
      memories,
      ...(omittedCount > 0 && { omittedCount }),
      ...(recalled.isPartial && { incomplete: true as const }),
      ...blockedFields(recalled.blockedNamespaces),
      ...(isWanted && { receipt: answered.receipt, opening: answered.opening }),
    };
    await recalled.release({ answered: given, onRecord });
  });
}

const isRated = (memory: Recall["memories"][number]): memory is RatedMemory => memory.relevance !== undefined;

/** As JSON, with room below a megabyte for reply and receipt, whatever is blocked: nobody is given fewer for that. */
const MEMORY_BYTES = 400_000;

/** The first memories that fit. Those of the question come after pinned ones, which get half of the room at most. */
function fitting(memories: readonly RatedMemory[]): readonly RatedMemory[] {
  const weights = memories.map(weightOf);
  const pinnedCount = memories.filter(({ why }) => why.pinned).length;
  const pinned = countFitting(weights.slice(0, pinnedCount), MEMORY_BYTES / 2);
  const room = MEMORY_BYTES - weights.slice(0, pinned).reduce((sum, weight) => sum + weight, 0);
  const found = countFitting(weights.slice(pinnedCount), room);
  return [...memories.slice(0, pinned), ...memories.slice(pinnedCount, pinnedCount + found)];
}

export function refuseAbove(most: number, limit = most): void {
  if (limit <= most) return;
  throw invalidFields({ pointer: "#/limit", detail: `must be at most ${most}, the RECALL_LIMIT of this service` });
}
