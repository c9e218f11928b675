// Plans the next transaction: first the policy changes that the chain is missing, then anchors.
import type { AccessRule } from "#core/gate/policy.ts";
import type { PendingChainAnchor } from "#ports.ts";
import type { ChainState } from "./chain-reader.ts";

export interface TransactionPlan {
  readonly changes: readonly AccessRule[];
  readonly anchors: readonly PendingChainAnchor[];
  /** The gate's version when it evaluates the anchors, unless somebody else changes the policy before. */
  readonly version: bigint;
}

// Sui limits one transaction to 1,023 commands, 128 KiB, 2,048 objects, 1,024 events, and 1,000 dynamic fields that it
// reads (object_runtime_max_num_cached_objects). The last is the narrowest. The budgets below keep clear of all.
const MAX_FIELDS = 900;
const MAX_BYTES = 100 * 1024;
/** The size of a Move call with its references and the BCS around its arguments. */
const CALL_BYTES = 110;

/** `drift` is what the chain's policy lacks. No anchor travels before the last change that is due, because the gate judges claims by the whole policy. */
export function planTransaction(
  state: ChainState,
  drift: readonly AccessRule[],
  pending: readonly PendingChainAnchor[],
  maxCalls = Number.POSITIVE_INFINITY,
): TransactionPlan {
  const due = state.policyCap === undefined ? [] : drift;
  const budget = createBudget(maxCalls);
  const changes = takeWhile(due, ({ agentId, namespace }) => budget.spend([[agentId, namespace]], agentId + namespace));
  const version = state.version + BigInt(changes.length);
  if (changes.length < due.length) return { changes, anchors: [], version };
  const anchors = takeWhile(pending, ({ agentId, blobId, digest, claimed }) => {
    const fields = [["", digest, ...claimed], ...claimed.map((namespace) => [agentId, namespace])];
    return budget.spend(fields, agentId + blobId + digest + claimed.join(" "));
  });
  return { changes, anchors, version };
}

/** Counts calls, bytes, and dynamic fields. A field counts once, however often the transaction reads it. */
function createBudget(maxCalls: number) {
  let calls = 0;
  const fields = new Set<string>();
  let bytes = 0;
  return {
    /** False, and nothing is spent, when it does not fit. */
    spend(names: readonly (readonly string[])[], text: string): boolean {
      const added = names.map((name) => JSON.stringify(name)).filter((name) => !fields.has(name));
      const size = CALL_BYTES + Buffer.byteLength(text);
      if (calls >= maxCalls) return false;
      if (fields.size + added.length > MAX_FIELDS || bytes + size > MAX_BYTES) return false;
      for (const name of added) fields.add(name);
      bytes += size;
      calls += 1;
      return true;
    },
  };
}

function takeWhile<T>(items: readonly T[], fits: (item: T) => boolean): T[] {
  const end = items.findIndex((item) => !fits(item));
  return end === -1 ? [...items] : items.slice(0, end);
}
