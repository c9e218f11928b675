// The gate over records, put together as compose.ts does it: the mirror of the policy, the index, and the search.
import type { ChangeFeed, RecordedChange, RecordStore } from "#ports.ts";
import { createPolicyMirror } from "#service/policy/policy-mirror.ts";
import { createIndexFollower } from "#service/recall/index-follower.ts";
import { createMemoryIndex, type IndexOptions } from "#service/recall/memory-index.ts";
import { createSearch, type SearchOptions } from "#service/recall/search.ts";
import type { SentenceVectors } from "#service/recall/sentence-vectors.ts";

type GateOptions = Omit<IndexOptions & SearchOptions, "sentences"> & { readonly sentences?: SentenceVectors };

export function recallGate(
  records: Pick<RecordStore, "changeFeed" | "memories" | "snapshots" | "transfer">,
  options: GateOptions,
) {
  const policyMirror = createPolicyMirror(records.changeFeed);
  const index = createMemoryIndex(records, policyMirror, options);
  return { policyMirror, index, ...createSearch(records, index, options) };
}

export const followerOf = (changeFeed: ChangeFeed, index: { apply(change: RecordedChange): void }) =>
  createIndexFollower(changeFeed, createPolicyMirror(changeFeed), index);
